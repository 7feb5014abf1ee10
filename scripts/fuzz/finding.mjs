import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { DIST } from '../lib/paths.mjs';

export const built = (path) => import(pathToFileURL(join(DIST, path)).href);

/** Something that an input must not do. */
export class Finding extends Error {}

/** @throws Finding when `work` takes longer than that; it goes on all the same */
export async function within(limitMs, work) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Finding(`no answer after ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
