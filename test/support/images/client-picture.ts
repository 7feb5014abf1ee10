import { cropped, pngOf, readPicture } from './flow-picture.js';
import { readFile } from 'node:fs/promises';

/** A small piece of the demo photo, quick to enhance. */
export async function smallPhoto(width = 48, height = 40): Promise<Uint8Array<ArrayBuffer>> {
  const photo = await readPicture(await readFile('scripts/assets/astronaut.png'));
  return new Uint8Array(await pngOf(cropped(photo, 180, 60, width, height)));
}
