import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfFiles } from '../lib/hash-of-files.mjs';

/** What a measurement depends on, besides the build: folders and the names of their files. */
const DEPENDS_ON = [
  // The sums of the unpacked groups of the kit, which run.sh writes.
  { folder: 'node_modules/.gpu-kit', names: /^[a-z]+\.unpacked$/ },
  // They contain the sums of the graphs.
  { folder: 'models', names: /\/manifest\.json$/ },
  { folder: 'scripts/bench', names: /\.mjs$/ },
  { folder: 'scripts/gpu', names: /\.(?:mjs|cc|py)$/ },
];

/**
 * Identifies what is measured and how: the build, the unpacked kit, the models and the scripts.
 * @param {string} root of the checkout
 */
export function measuredVersion(root) {
  const paths = DEPENDS_ON.flatMap(({ folder, names }) => filesIn(root, folder, names));
  return hashOfFiles(root, ['dist/.stamp', ...paths]);
}

function filesIn(root, folder, names) {
  const path = join(root, folder);
  return (existsSync(path) ? readdirSync(path, { recursive: true }) : [])
    .filter((name) => names.test(name))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => join(folder, name));
}
