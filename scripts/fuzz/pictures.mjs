import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from '../lib/paths.mjs';

const SIDE = 40;
const MAX_SEED_BYTES = 100_000;
/** Additional photos and broken files, if they exist next to the repository. */
const SHARED = join(ROOT, '..', 'shared', 'data', 'files');

/** Small files of every format and variant that the service reads, drawn here. */
export async function pictureSeeds() {
  const pixels = Buffer.from(Array.from({ length: SIDE * SIDE * 4 }, (_, index) => (index * 7) % 256));
  const picture = () => sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 4 } });
  const drawn = await Promise.all([
    picture().jpeg({ quality: 80 }).toBuffer(),
    picture().jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer(),
    picture().removeAlpha().toColourspace('b-w').jpeg().toBuffer(),
    picture().removeAlpha().toColourspace('cmyk').jpeg().toBuffer(),
    picture().png().toBuffer(),
    picture().png({ progressive: true, palette: true }).toBuffer(),
    picture().toColourspace('rgb16').png().toBuffer(),
    picture().webp({ quality: 70 }).toBuffer(),
    picture().webp({ lossless: true }).toBuffer(),
    picture().avif({ effort: 0 }).toBuffer(),
    picture().removeAlpha().avif({ effort: 0, chromaSubsampling: '4:2:0' }).toBuffer(),
  ]);
  return [...drawn, ...sharedSeeds()];
}

function sharedSeeds() {
  if (!existsSync(SHARED)) return [];
  return readdirSync(SHARED, { recursive: true })
    .map((name) => join(SHARED, name))
    .filter((path) => /\.(?:jpe?g|png|webp|avif)$/i.test(path))
    .filter((path) => statSync(path).size > 0 && statSync(path).size <= MAX_SEED_BYTES)
    .map((path) => readFileSync(path));
}
