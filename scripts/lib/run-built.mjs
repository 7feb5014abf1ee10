import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST, ROOT } from './paths.mjs';
import { runMain } from './setup-error.mjs';
import { setup } from './setup.mjs';

/**
 * Sets up and then becomes `dist/<name>.js`, in this very process, so that signals, arguments and the exit
 * code are the program's own.
 * @param {string} name
 * @param {string} workingDir what relative paths count from: the repository, as with npm, for all that reads
 *   the configuration
 */
export async function runBuilt(name, workingDir = ROOT) {
  await runMain(setup);
  process.chdir(workingDir);
  await import(pathToFileURL(join(DIST, `${name}.js`)).href);
}
