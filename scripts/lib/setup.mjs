import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild, isBuildCurrent } from './build.mjs';
import { built } from './built.mjs';
import { checkNode } from './check-node.mjs';
import { withFileLock } from '../../src/infra/processes/file-lock.mjs';
import { arePackagesCurrent, ensurePackages } from './packages.mjs';
import { NODE_MODULES, ROOT } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * Makes a clone ready to run: npm packages, links of the PostgreSQL programs, dist. Does nothing, and writes nothing,
 * if everything is up to date. Progress goes to stderr, because stdout may be JSON for a program.
 * @throws SetupError that says what the user has to do
 */
export async function setup() {
  checkNode();
  if (arePackagesCurrent() && isBuildCurrent()) return;
  await withSetupLock(async (say) => {
    await ensurePackages(say);
    await ensureBuild(say);
    await layPostgresLinks();
  });
}

/**
 * Installs only the npm packages, which is enough for everything that runs the sources instead of dist.
 * @throws SetupError that says what the user has to do
 */
export async function setupPackages() {
  checkNode();
  if (arePackagesCurrent()) return;
  await withSetupLock((say) => ensurePackages(say));
}

/** @param {(say: (text: string) => void) => void | Promise<void>} work */
async function withSetupLock(work) {
  const say = (text) => process.stderr.write(`${text}\n`);
  try {
    mkdirSync(NODE_MODULES, { recursive: true });
    await withFileLock(join(NODE_MODULES, '.setup.lock'), say, () => work(say));
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    throw new SetupError(
      `The packages or the build in ${ROOT} are out of date, and you cannot write to that folder. Run "npm run setup" once as its owner.`,
    );
  }
}

/** Created here, too, so that a folder installed by root works for an ordinary user, who could not create the links. */
async function layPostgresLinks() {
  const { locateBinaries } = await built('infra/database/embedded/postgres-binaries.js');
  try {
    locateBinaries();
  } catch {
    // There are no programs for this platform. The service reports this if it starts without a DATABASE_URL.
  }
}
