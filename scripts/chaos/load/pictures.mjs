import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from '../../lib/paths.mjs';

const FORMATS = ['jpeg', 'png', 'webp'];
const EDGES = [64, 96, 128, 200];

/** A small picture that differs from every other upload. */
export async function drawPicture(random) {
  const edge = random.pick(EDGES);
  const [red, green, blue] = randomBytes(3);
  return sharp(join(ROOT, 'scripts/assets/astronaut.png'))
    .resize(edge, random.pick(EDGES))
    .tint({ r: red, g: green, b: blue })
    .toFormat(random.pick(FORMATS))
    .toBuffer();
}
