import { readdir } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';

const PICTURE = /\.(png|jpe?g|webp|avif)$/i;

/** A picture in a folder. */
export interface NamedPicture {
  /** Relative to the folder, without the extension. */
  readonly name: string;
  readonly path: string;
}

/** At most `limit` pictures of a folder and its subfolders, evenly spaced in the sorted list of names. */
export async function spreadPictures(folder: string, limit: number): Promise<readonly NamedPicture[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && PICTURE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted((a, b) => (a < b ? -1 : 1));
  const count = Math.min(limit, paths.length);
  return Array.from({ length: count }, (_, index) => {
    const path = paths[Math.floor(((index + 0.5) * paths.length) / count)]!;
    const inner = relative(folder, path);
    return { name: inner.slice(0, inner.length - extname(basename(path)).length), path };
  });
}
