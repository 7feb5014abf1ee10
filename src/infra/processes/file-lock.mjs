// Plain JavaScript, because the scripts import it before anything is built.
import { createHash, randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { link, rename, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { HEARTBEAT_MS, livingHolder, ownMark, readLock } from './lock-holder.mjs';

const POLL_MS = 300;
const TAKEOVER_POLL_MS = 10;

/** @typedef {import('./lock-holder.mjs').LockHolder} LockHolder */
/** @typedef {import('./lock-holder.mjs').Patience} Patience */

/**
 * A lock file that a process holds. While the event loop runs, it is touched regularly, for other containers. A dead
 * holder's lock is replaced.
 */
export class FileLock {
  /** @type {string} */
  #path;
  /** @type {string} */
  #content;
  /** @type {NodeJS.Timeout} */
  #heartbeat;

  /** @type {(() => void) | undefined} */
  #onLost;

  /**
   * @param {string} path
   * @param {string} content
   * @param {() => void} [onLost]
   */
  constructor(path, content, onLost) {
    this.#path = path;
    this.#content = content;
    this.#onLost = onLost;
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS).unref();
  }

  /**
   * Takes the lock unless a living process holds it.
   * @param {string} path the lock file, in a folder that exists
   * @param {Patience & { onLost?: (() => void) | undefined }} [options] `onLost` is called if another process replaces the lock, because
   *   this one was paused for longer than `silentMs`
   * @returns {Promise<FileLock | LockHolder>} the lock, or the living holder
   * @throws {Error} if the folder cannot be written, and AbortError if the wait was aborted
   */
  static async tryAcquire(path, { onLost, ...patience } = {}) {
    const content = ownMark();
    return (await claim(path, content, patience)) ?? new FileLock(path, content, onLost);
  }

  /** Removes the file, unless someone has deleted or replaced it. */
  release() {
    clearInterval(this.#heartbeat);
    if (readLock(this.#path) === this.#content) unlinkSync(this.#path);
  }

  async #beat() {
    const found = readLock(this.#path);
    if (found !== this.#content) {
      // A missing or unreadable file has no other holder.
      if (found === undefined) return;
      clearInterval(this.#heartbeat);
      this.#onLost?.();
      return;
    }
    const now = new Date();
    // The caller could do nothing about a file system that fails.
    await utimes(this.#path, now, now).catch(() => undefined);
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
  if (!(lock instanceof FileLock))
    say(
      `Waiting for another setup (pid ${lock.pid}${lock.isElsewhere ? ' of another container' : ''}) to end …`,
    );
  while (!(lock instanceof FileLock)) {
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
 * @param {string} content
 * @param {Patience} patience
 * @returns {Promise<LockHolder | undefined>} the living holder; undefined if the lock is ours
 */
async function claim(path, content, patience) {
  for (;;) {
    if (await createUnlessTaken(path, content)) return undefined;
    const found = readLock(path);
    if (found === undefined) continue;
    const holder = await livingHolder(path, found, patience);
    if (holder !== undefined) return holder;
    const takeover = `${path}.${createHash('sha256').update(found).digest('hex').slice(0, 12)}`;
    if ((await claim(takeover, content, patience)) !== undefined) {
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
 * @param {string} path
 * @param {string} content
 */
async function createUnlessTaken(path, content) {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, content, { mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
