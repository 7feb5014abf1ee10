import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from '../lib/paths.mjs';

/** Encoder options for each format: fast, and small enough to upload. */
const OPTIONS = {
  jpeg: { quality: 85 },
  webp: { quality: 70, effort: 0 },
  avif: { quality: 60, effort: 0 },
};

/** A photo-like picture: an enlarged photo with noise, so that its files are as large as those from a camera. */
export async function photo(width, height, format = 'jpeg') {
  const enlarged = await sharp(join(ROOT, 'scripts/assets/astronaut.png'))
    .resize(width, height, { fit: 'cover', kernel: 'cubic' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const noise = { width, height, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 12 } };
  return sharp(enlarged.data, { raw: enlarged.info })
    .composite([{ input: { create: noise }, blend: 'soft-light' }])
    .toFormat(format, OPTIONS[format])
    .toBuffer();
}
