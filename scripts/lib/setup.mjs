import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuild, isBuildCurrent } from './build.mjs';
import { checkNode } from './check-node.mjs';
import { withFileLock } from '../../src/infra/processes/file-lock.mjs';
import { arePackagesCurrent, ensurePackages } from './packages.mjs';
import { DIST, NODE_MODULES, ROOT } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * Brings a clone to where it can run: npm packages, links of the PostgreSQL programs, dist. Does nothing,
 * and writes nothing, when all is there. Progress goes to stderr, since stdout may be someone's JSON.
 * @throws SetupError with what a person has to do
 */
export async function setup() {
  checkNode();
  if (arePackagesCurrent() && isBuildCurrent()) return;
  await withSetupLock(async (say) => {
    ensurePackages(say);
    await ensureBuild(say);
    await layPostgresLinks();
  });
}

/**
 * The npm packages alone: enough for whatever runs the sources and not dist.
 * @throws SetupError with what a person has to do
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
      `The packages or the build in ${ROOT} are not current, and you may not write there. Run "npm run setup" as its owner once.`,
    );
  }
}

/** Done here too, so that a folder installed by root works for an ordinary user, who could not lay them. */
async function layPostgresLinks() {
  const module = join(DIST, 'infra', 'database', 'embedded', 'postgres-binaries.js');
  const { locateBinaries } = await import(pathToFileURL(module).href);
  try {
    locateBinaries();
  } catch {
    // No programs for this platform: the service says so when it starts without a DATABASE_URL.
  }
}
