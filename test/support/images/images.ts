/** Test images as bytes. Their makers are next to the codec, the only code that may use the image library. */
export {
  animatedAvif,
  animatedWebp,
  heic,
  jpegOfBytes,
  textFile,
  truncated,
} from '../../../src/infra/image/testing/hostile-images.js';
export { animatedPng, hugePng } from '../../../src/infra/image/testing/png-chunks.js';
export {
  cmykJpeg,
  deepPng,
  drawRaw,
  drawSolid,
  grayImage,
  phoneJpeg,
  photo,
  progressiveJpeg,
} from '../../../src/infra/image/testing/still-images.js';
