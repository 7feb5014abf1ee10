import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Jimp } from 'jimp';
import { UsageError } from '../command-line.mjs';

const BUNDLED = fileURLToPath(new URL('../../../scripts/assets/astronaut.png', import.meta.url));
/** Factors for red, green, and blue: more than two stops too dark, in the light of a lamp. */
const UNDEREXPOSED = [0.5, 0.44, 0.36] as const;

/** A photo to enhance. */
export interface DemoPhoto {
  readonly name: string;
  readonly bytes: Buffer;
  /** How it differs from its file; empty if it does not. */
  readonly note: string;
}

/** The photo for each operation. */
export interface DemoPhotos {
  readonly of: (operation: string) => DemoPhoto;
}

/**
 * The user's photo, or the bundled one, for every operation. The bundled photo is well lit, and `auto_enhance` does not
 * change a well-lit photo, so that operation gets a darkened copy.
 * @throws UsageError if the file does not exist
 */
export async function demoPhotos(
  path: string | undefined,
  operations: readonly string[],
): Promise<DemoPhotos> {
  const photo = await readPhoto(path === undefined ? BUNDLED : resolve(path));
  if (path !== undefined || !operations.includes('auto_enhance')) return { of: () => photo };
  const dark = {
    name: `dark-${photo.name}`,
    bytes: await underexposed(photo.bytes),
    note: 'of the photo made too dark',
  };
  return { of: (operation) => (operation === 'auto_enhance' ? dark : photo) };
}

async function readPhoto(path: string): Promise<DemoPhoto> {
  try {
    return { name: basename(path), bytes: await readFile(path), note: '' };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new UsageError(
      code === 'ENOENT' ? `There is no photo ${path}.` : `The photo ${path} cannot be read (${code}).`,
    );
  }
}

async function underexposed(bytes: Buffer): Promise<Buffer> {
  const image = await Jimp.read(bytes);
  const { data } = image.bitmap;
  for (let at = 0; at < data.length; at += 4)
    UNDEREXPOSED.forEach((share, channel) => (data[at + channel] = Math.round(data[at + channel]! * share)));
  return image.getBuffer('image/png');
}
