import { built } from './built.mjs';
import { ROOT } from './paths.mjs';
import { runMain } from './setup-error.mjs';
import { setup } from './setup.mjs';

/**
 * Prepares the build and then runs `dist/<name>.js` in this process, so that signals, arguments, and the exit code are
 * those of the program.
 * @param {string} name
 * @param {string} workingDir base of relative paths: for programs that read the configuration, the repository, as
 *   with npm
 */
export async function runBuilt(name, workingDir = ROOT) {
  await runMain(setup);
  process.chdir(workingDir);
  await built(`${name}.js`);
}
