import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST, ROOT } from './paths.mjs';

/** Imports a module of the compiled service. */
export function built(path) {
  return import(pathToFileURL(join(DIST, path)).href);
}

/** Imports the compiled JavaScript client. */
export function builtClient() {
  return import(pathToFileURL(join(ROOT, 'clients', 'js', 'dist', 'esm', 'node.js')).href);
}
