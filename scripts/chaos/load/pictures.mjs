import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from '../../lib/paths.mjs';

const FORMATS = ['jpeg', 'png', 'webp'];
const EDGES = [64, 96, 128, 200];

/** The photo at the largest size, decoded once: that takes most of the CPU time of a picture. */
let photo;

/** A small picture that differs from every other upload. */
export async function drawPicture(random) {
  photo ??= sharp(join(ROOT, 'scripts/assets/astronaut.png'))
    .resize(Math.max(...EDGES))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { data, info: raw } = await photo;
  const edge = random.pick(EDGES);
  const [red, green, blue] = randomBytes(3);
  return sharp(data, { raw })
    .resize(edge, random.pick(EDGES))
    .tint({ r: red, g: green, b: blue })
    .toFormat(random.pick(FORMATS))
    .toBuffer();
}
