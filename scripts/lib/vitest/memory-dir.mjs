import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { availableMemory, env, geteuid, pid } from 'node:process';
import { join } from 'node:path';

/** A file system in memory. Linux distributions mount it, and so do container engines, often with only 64 MB. */
const MEMORY = '/dev/shm';
const GIB = 2 ** 30;
/** The files of a complete run take 0.4 GB (`du -s` every 15 seconds). */
const MIN_FREE_BYTES = 2 * GIB;
/** The programs of a run take 5 GB more. */
const MIN_AVAILABLE_BYTES = 8 * GIB;

/**
 * Creates a folder in memory for the temporary files of a run, which sets `TMPDIR` to it. Specs copy some 500 databases
 * of 600 files: on ext4, a copy and its deletion took 970 ms of CPU, most of it in the search for free inodes, and 100 ms
 * in memory. First removes the folders of killed runs.
 * @returns {string | undefined} undefined where there is too little memory, where programs may not run from there, and
 *   where `TMPDIR` is set already
 */
export function makeMemoryDir() {
  if (env.TMPDIR !== undefined || !isFit()) return undefined;
  for (const name of readdirSync(MEMORY)) if (isAbandoned(name)) removeMemoryDir(join(MEMORY, name));
  // Every user may write to /dev/shm, so the name must not be known before the folder exists.
  const dir = mkdtempSync(join(MEMORY, `ies-run-${pid}-`));
  // Like /tmp, because some programs of a run belong to other users.
  chmodSync(dir, 0o1777);
  return dir;
}

/** Whether this is the folder of a run of this user that has ended. */
function isAbandoned(name) {
  const [, owner] = /^ies-run-(\d+)-/.exec(name) ?? [];
  if (owner === undefined || existsSync(`/proc/${owner}`)) return false;
  return lstatSync(join(MEMORY, name), { throwIfNoEntry: false })?.uid === geteuid();
}

/** @param {string} dir of `makeMemoryDir`. Programs that are just ending may still write there. */
export function removeMemoryDir(dir) {
  rmSync(dir, { recursive: true, force: true, maxRetries: 20 });
}

function isFit() {
  const mount = mountOptions();
  if (mount === undefined || mount.includes('noexec') || mount.includes('ro')) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MIN_FREE_BYTES && availableMemory() >= MIN_AVAILABLE_BYTES;
}

/** The options of the file system in memory; undefined if there is none. */
function mountOptions() {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8').split('\n') : [];
  const [, , type, options] =
    mounts.map((line) => line.split(' ')).findLast(([, dir]) => dir === MEMORY) ?? [];
  return type === 'tmpfs' ? options.split(',') : undefined;
}
