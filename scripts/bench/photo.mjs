import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from '../lib/paths.mjs';

/** Photo-like: a photo, enlarged, with noise, so that its files are as large as those of a camera. */
export async function photo(width, height) {
  const enlarged = await sharp(join(ROOT, 'scripts/assets/astronaut.png'))
    .resize(width, height, { fit: 'cover', kernel: 'cubic' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const noise = { width, height, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 12 } };
  return sharp(enlarged.data, { raw: enlarged.info })
    .composite([{ input: { create: noise }, blend: 'soft-light' }])
    .jpeg({ quality: 85 })
    .toBuffer();
}
