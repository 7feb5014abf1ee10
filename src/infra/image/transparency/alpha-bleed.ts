import type { OverlayOptions, Raw, Sharp } from 'sharp';
import type { RawImage } from '../../../kernel/pixels.js';
import { pipelineOf } from '../codec/pixel-pipeline.js';

/** Standard deviations of the blurs that spread the colors: far and coarse, and near and exact. */
const SIGMAS = [6, 1.5];
/** How far they reach in pixels: the library ends a Gaussian at a fifth of its height. */
export const BLEED_REACH_PIXELS = 11;
/** Makes a pixel opaque where this fraction of its neighborhood is visible. */
const SPREAD_GAIN = 16;

/**
 * Fills fully transparent pixels with the color of the nearest visible ones (alpha bleeding). Beyond the reach, they
 * keep their color. Pixels with any opacity and the alpha channel are not changed. A pixel depends only on those within
 * the reach, so parts of an image match the whole.
 * @param image RGBA
 * @returns RGBA rows
 */
export async function bledPixels(image: RawImage): Promise<Uint8Array> {
  const raw: Raw = { width: image.width, height: image.height, channels: 4 };
  const layer = async (pixels: Sharp, gain: number): Promise<OverlayOptions> => {
    const input = await bytesOf(pixels.linear([1, 1, 1, gain], [0, 0, 0, 0]));
    return { input, raw, blend: 'over' };
  };
  const [colors, alpha, ...layers] = await Promise.all([
    bytesOf(pipelineOf(image).removeAlpha()),
    alphaOf(image),
    ...SIGMAS.map((sigma) => layer(pipelineOf(image).blur(sigma), SPREAD_GAIN)),
    layer(pipelineOf(image), 255),
  ]);
  const opaque = { ...image, channels: 3 } as const;
  const filled = await bytesOf(
    pipelineOf({ ...opaque, data: colors })
      .composite(layers)
      .removeAlpha(),
  );
  return bytesOf(
    pipelineOf({ ...opaque, data: filled }).joinChannel(alpha, { raw: { ...raw, channels: 1 } }),
  );
}

/** The alpha channel of an RGBA image, one byte for each pixel. */
export function alphaOf(image: RawImage): Promise<Buffer> {
  return bytesOf(pipelineOf(image).extractChannel(3));
}

function bytesOf(pixels: Sharp): Promise<Buffer> {
  return pixels.raw().toBuffer();
}
