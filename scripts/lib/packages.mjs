import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_MODULES, ROOT } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

const STAMP = join(NODE_MODULES, '.stamp');
/** Made where a GPU kit was unpacked. A kit has only the packages that its steps use, with the stamp of all. */
const GPU_KIT = join(NODE_MODULES, '.gpu-kit');
const ATTEMPTS = 2;
/** The build needs them all, even if the user's npm omits some: by NODE_ENV=production, or `omit` in ~/.npmrc. */
const KINDS = ['dev', 'optional', 'peer'].map((kind) => `--include=${kind}`);

/** Whether the installed packages match package-lock.json on this platform. */
export function arePackagesCurrent() {
  const isStamped = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp();
  return isStamped && (existsSync(GPU_KIT) || hasDirectPackages());
}

/**
 * Installs the npm packages unless they are installed. Does not use `npm ci`, which rejects the lock file: it lacks the
 * optional binaries of some other platforms, because npm writes only those of the machine that created it.
 * @param {(text: string) => void} say
 * @throws SetupError that says what to do
 */
export async function ensurePackages(say) {
  if (arePackagesCurrent()) return;
  if (!existsSync(STAMP) && hasDirectPackages() && matchesLock()) {
    // `npm install` was run manually.
    writeFileSync(STAMP, stamp());
    return;
  }
  say('Installing npm packages (a minute, the first time only) …');
  // From here to the end, the folder matches no version, so a killed run starts over. Without its own record of the
  // installation, npm examines the folder itself.
  rmSync(STAMP, { force: true });
  rmSync(join(NODE_MODULES, '.package-lock.json'), { force: true });
  for (let attempt = 1; ; attempt += 1) {
    const fault = await runNpm([
      'install',
      ...KINDS,
      '--no-save',
      '--loglevel=error',
      '--no-fund',
      '--no-audit',
    ]);
    if (fault === undefined) break;
    if (attempt === ATTEMPTS) {
      throw new SetupError(
        `npm could not install the packages (${fault}; its lines are above). Check the network and the registry ("npm ping"), the free disk space and that you may write to ${ROOT}; then try again.`,
      );
    }
    say('npm failed; trying once more …');
  }
  writeFileSync(STAMP, stamp());
}

function stamp() {
  const hash = createHash('sha256');
  for (const name of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(ROOT, name)));
  return `${hash.digest('hex')} ${process.platform}-${process.arch} node ${process.versions.node.split('.')[0]}\n`;
}

/** Whether the packages that package.json names are there. An `npm prune` removes those for development. */
function hasDirectPackages() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.keys({ ...dependencies, ...devDependencies }).every((name) =>
    existsSync(join(NODE_MODULES, name, 'package.json')),
  );
}

/** Compares npm's record of the installed packages with the lock file. */
function matchesLock() {
  const record = join(NODE_MODULES, '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional, peer }]) => {
    if (path === '') return true;
    return path in installed ? installed[path].version === version : optional === true || peer === true;
  });
}

/** Not synchronous, so that the setup lock is touched meanwhile. @returns the fault, if any */
function runNpm(args) {
  const own = process.env.npm_execpath;
  // Under `npm run`, use the running npm. Otherwise, use the one on the PATH.
  const [program, first] = own?.endsWith('.js') ? [process.execPath, [own]] : ['npm', []];
  const npm = spawn(program, [...first, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...npmCache() },
    // npm's progress and errors are for people, and stdout may be JSON for a program.
    stdio: ['ignore', 2, 2],
  });
  return new Promise((resolve) => {
    npm.once('error', (error) =>
      resolve(error.code === 'ENOENT' ? 'there is no npm on the PATH' : error.message),
    );
    npm.once('exit', (code, signal) => resolve(code === 0 ? undefined : `exit code ${code ?? signal}`));
  });
}

/** A user without a home directory, which is common in containers, gets a cache elsewhere. */
function npmCache() {
  try {
    accessSync(homedir(), constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: join(tmpdir(), `npm-cache-${process.getuid?.() ?? 0}`) };
  }
}
