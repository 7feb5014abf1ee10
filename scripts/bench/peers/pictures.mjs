import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { SetupError } from '../../lib/setup-error.mjs';
import { photo } from '../photo.mjs';

const COUNT = 16;
const SIZE = [550, 830];
const MARKER = Buffer.from([0xff, 0xd8]);

/**
 * Sixteen JPEG pictures of 550 × 830 pixels: drawn, or the first ones in a folder, cropped to that size.
 * @param {string | undefined} from a folder of JPEG files
 * @throws SetupError when it contains none
 */
export async function pictures(from) {
  if (from === undefined) return Promise.all(Array.from({ length: COUNT }, () => photo(...SIZE)));
  const names = (await readdir(from)).filter((name) => /\.jpe?g$/i.test(name)).toSorted();
  if (names.length === 0) throw new SetupError(`There are no JPEG files in ${from}.`, 2);
  return Promise.all(
    names.slice(0, COUNT).map(async (name) => {
      const cropped = sharp(await readFile(join(from, name))).rotate();
      return cropped
        .resize(...SIZE, { fit: 'cover' })
        .jpeg({ quality: 90 })
        .toBuffer();
    }),
  );
}

/** The same picture with a random comment, because the service would return a cached result for identical bytes. */
export function unknown(jpeg) {
  const comment = randomBytes(16).toString('hex');
  const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([MARKER, head, Buffer.from(comment), jpeg.subarray(MARKER.length)]);
}

/** Writes pictures into a folder. @returns their paths */
export async function writeAll(folder, all, extension = 'jpg') {
  await mkdir(folder, { recursive: true });
  const paths = all.map((_, index) => join(folder, `${index}.${extension}`));
  await Promise.all(paths.map((path, index) => writeFile(path, all[index])));
  return paths;
}

/**
 * Performs each task once, `clients` at a time.
 * @returns the number of tasks
 */
export async function byClients(clients, tasks, one) {
  const left = [...tasks];
  const client = async () => {
    for (let task = left.pop(); task !== undefined; task = left.pop()) await one(task);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return tasks.length;
}
