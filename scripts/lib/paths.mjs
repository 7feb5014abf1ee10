import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, regardless of the working directory. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const NODE_MODULES = join(ROOT, 'node_modules');
export const DIST = join(ROOT, 'dist');
