import sharp from 'sharp';

/** Width and height of a picture, in pixels. */
const SIZE = 480;
const CHECK = 16;
const QUALITY = 86;
const [WHITE, DARK] = [255, 220];

/**
 * A JPEG whose left half is from the photo, and the right half from its result. Transparency is shown as a
 * checkerboard.
 * @param {Buffer} before the photo
 * @param {Buffer} after its result, which may be larger
 * @param {{ left: number, top: number, size: number }} region the square to show, in pixels of the photo
 */
export async function splitPicture(before, after, region) {
  const { width } = await sharp(before).metadata();
  const [left, right] = await Promise.all([before, after].map((bytes) => shown(bytes, region, width)));
  const half = SIZE / 2;
  const rightHalf = await sharp(right).extract({ left: half, top: 0, width: half, height: SIZE }).toBuffer();
  const line = await sharp({ create: { width: 2, height: SIZE, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  return sharp(left)
    .composite([
      { input: rightHalf, left: half, top: 0 },
      { input: line, left: half - 1, top: 0 },
    ])
    .jpeg({ quality: QUALITY, mozjpeg: true });
}

/** The region as a PNG of `SIZE` × `SIZE`. The picture may be larger than the photo. */
async function shown(bytes, { left, top, size }, photoWidth) {
  const image = sharp(bytes);
  const { width } = await image.metadata();
  const [x, y, side] = [left, top, size].map((length) => Math.round((length * width) / photoWidth));
  const cut = await image
    .extract({ left: x, top: y, width: side, height: side })
    .resize(SIZE, SIZE)
    .png()
    .toBuffer();
  return sharp(await checkerboard())
    .composite([{ input: cut }])
    .png()
    .toBuffer();
}

function checkerboard() {
  const pixels = Buffer.alloc(SIZE * SIZE);
  for (let at = 0; at < pixels.length; at += 1) {
    const [column, row] = [at % SIZE, at / SIZE].map((position) => Math.floor(position / CHECK));
    pixels[at] = (column + row) % 2 === 0 ? DARK : WHITE;
  }
  return sharp(pixels, { raw: { width: SIZE, height: SIZE, channels: 1 } })
    .toColorspace('srgb')
    .png()
    .toBuffer();
}
