import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { NODE_MODULES, ROOT } from '../lib/paths.mjs';
import { SetupError } from '../lib/setup-error.mjs';

/** Everything that the image builds leave behind. */
export const CACHE = join(NODE_MODULES, '.cache', 'images');

const BASE = join(CACHE, 'debian-12.tar');
const UNWANTED = ['doc', 'man', 'locale', 'info'].map(
  (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
);

/**
 * Files of a minimal Debian 12, like `debian:bookworm-slim`, for machines that cannot pull that image.
 * @returns {Promise<string>} an archive, which is kept for later calls
 * @throws SetupError when no mirror of Debian can be reached
 */
export async function debianBase(say) {
  if (existsSync(BASE)) return BASE;
  say('Making a Debian 12 with mmdebstrap (half a minute, the first time only) …');
  mkdirSync(CACHE, { recursive: true });
  const include = ['?essential', 'usr-is-merged', 'apt', 'libstdc++6'].map((name) => `--include=${name}`);
  const hooks = '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr';
  const draft = `${BASE}.part`;
  rmSync(draft, { recursive: true, force: true });
  const args = ['--variant=custom', '--format=tar', hooks, ...include, ...UNWANTED, 'bookworm', draft];
  // Asynchronous, because the process of a waiting spec must stay responsive.
  const child = spawn('mmdebstrap', args, {
    stdio: 'ignore',
    env: { ...process.env, SOURCE_DATE_EPOCH: '0' },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    rmSync(draft, { force: true });
    throw new SetupError('mmdebstrap could not make a Debian 12: no mirror of Debian is reachable.');
  }
  renameSync(draft, BASE);
  return BASE;
}

/** The version of Node.js that docker/Dockerfile names. */
export function nodeVersion() {
  return /^ARG NODE_VERSION=(\S+)$/m.exec(readFileSync(join(ROOT, 'docker', 'Dockerfile'), 'utf8'))[1];
}

/**
 * That version of Node.js from its npm package, or the running one if npm cannot download it.
 * @returns {{ context: string, version: string }} a folder with `out/node`, like the stage `node` of the Dockerfile
 */
export function nodeContext(say) {
  const version = nodeVersion();
  const context = join(CACHE, `node-${version}`);
  if (!existsSync(join(context, 'out', 'node'))) {
    const program = fetchNode(version, context);
    if (program === undefined) {
      say(`Node.js ${version} is not available from npm; the images get Node.js ${process.versions.node}.`);
      const own = join(CACHE, `node-${process.versions.node}`);
      strip(process.execPath, own);
      return { context: own, version: process.versions.node };
    }
    strip(program, context);
  }
  return { context, version };
}

function fetchNode(version, folder) {
  const name = `node-${process.platform}-${arch()}`;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--loglevel=error'];
  const result = spawnSync('npm', [...args, `${name}@${version}`], { cwd: folder, stdio: 'ignore' });
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  return result.status === 0 && existsSync(program) ? program : undefined;
}

/** Without binutils, the symbols stay, which adds 20 MB. */
function strip(program, context) {
  const target = join(context, 'out', 'node');
  mkdirSync(join(context, 'out'), { recursive: true });
  if (spawnSync('strip', ['-o', target, program], { stdio: 'ignore' }).status !== 0)
    copyFileSync(program, target);
}
