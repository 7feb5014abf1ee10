import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST } from './paths.mjs';

/** Imports a module of the compiled service. */
export function built(path) {
  return import(pathToFileURL(join(DIST, path)).href);
}
