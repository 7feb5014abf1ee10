// Plain JavaScript, because the scripts import it before anything is built.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, unlinkSync } from 'node:fs';
import { link, rename, unlink, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStamp } from './process-stamp.mjs';

const POLL_MS = 300;
const TAKEOVER_POLL_MS = 10;

/** A lock file that a process holds. A dead holder's lock is replaced. */
export class FileLock {
  /** @type {string} */
  #path;
  /** @type {string} */
  #content;

  /**
   * @param {string} path
   * @param {string} content
   */
  constructor(path, content) {
    this.#path = path;
    this.#content = content;
  }

  /**
   * Takes the lock unless a living process holds it.
   * @param {string} path the lock file, in a folder that exists
   * @returns {Promise<FileLock | number>} the lock, or the pid of the living holder
   * @throws {Error} if the folder cannot be written
   */
  static async tryAcquire(path) {
    const content = JSON.stringify({ pid: process.pid, stamp: processStamp(process.pid) });
    const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
    await writeFile(draft, content, { mode: 0o600 });
    try {
      return (await claim(path, draft)) ?? new FileLock(path, content);
    } finally {
      await unlink(draft);
    }
  }

  /** Removes the file, unless someone has deleted or replaced it. */
  release() {
    if (readLock(this.#path) === this.#content) unlinkSync(this.#path);
  }
}

/**
 * Runs `work` while no other process holds the lock. Waits for a process that does.
 * @param {string} path the lock file
 * @param {(text: string) => void} say called once if there is a process to wait for
 * @param {() => void | Promise<void>} work
 */
export async function withFileLock(path, say, work) {
  let lock = await FileLock.tryAcquire(path);
  if (typeof lock === 'number') say(`Waiting for another setup (pid ${lock}) to end …`);
  while (typeof lock === 'number') {
    await sleep(POLL_MS);
    lock = await FileLock.tryAcquire(path);
  }
  try {
    await work();
  } finally {
    lock.release();
  }
}

/**
 * Takes the lock unless a living process holds it. A dead holder's lock is replaced under a lock of its own, named after
 * the replaced content: only one process can do it, once, and if that one dies, too, the same rule applies.
 * @param {string} path
 * @param {string} draft file with the content of the lock
 * @returns {Promise<number | undefined>} pid of the living holder; undefined if the lock is ours
 */
async function claim(path, draft) {
  for (;;) {
    if (await linkUnlessTaken(draft, path)) return undefined;
    const found = readLock(path);
    if (found === undefined) continue;
    const holder = livingHolder(found);
    if (holder !== undefined) return holder;
    const takeover = `${path}.${createHash('sha256').update(found).digest('hex').slice(0, 12)}`;
    if ((await claim(takeover, draft)) !== undefined) {
      await sleep(TAKEOVER_POLL_MS);
      continue;
    }
    if (readLock(path) === found) {
      await rename(takeover, path);
      return undefined;
    }
    // Another process has replaced it since it was read.
    await unlink(takeover);
  }
}

/**
 * A hard link fails if the name is taken, so only one process can win, and the file is complete from the start.
 * @param {string} from
 * @param {string} to
 */
async function linkUnlessTaken(from, to) {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} path */
function readLock(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * @param {string} content
 * @returns {number | undefined}
 */
function livingHolder(content) {
  try {
    const { pid, stamp } = JSON.parse(content);
    return stamp !== undefined && processStamp(pid) === stamp ? pid : undefined;
  } catch {
    return undefined;
  }
}
