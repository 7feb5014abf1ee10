import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../lib/paths.mjs';

export { built } from '../lib/built.mjs';

/** Imports the compiled JavaScript client. */
export function builtClient() {
  return import(pathToFileURL(join(ROOT, 'clients', 'js', 'dist', 'esm', 'node.js')).href);
}
