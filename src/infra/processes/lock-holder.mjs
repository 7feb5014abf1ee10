// Plain JavaScript, because the scripts import it before anything is built.
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processRealm, processStamp } from './process-stamp.mjs';

/** How often a holder touches its lock file. */
export const HEARTBEAT_MS = 2_000;
/** Longer than a busy disk delays a touch, and than a server takes to shut down after its supervisor was killed. */
const SILENT_MS = 20_000;
const POLL_MS = 250;

/**
 * The process that holds a lock.
 * @typedef {object} LockHolder
 * @property {number} pid
 * @property {boolean} isElsewhere whether the pid is that of another container, another machine, or an earlier boot
 */

/**
 * How to wait for a holder that this process cannot see.
 * @typedef {object} Patience
 * @property {number | undefined} [silentMs] without a heartbeat for this long, the holder has ended. Default 20 seconds
 * @property {(silentMs: number) => void} [onWait] called when the wait begins
 * @property {AbortSignal | undefined} [signal] ends the wait
 */

/** The content of a lock file that this process holds. */
export function ownMark() {
  return JSON.stringify({ realm: processRealm(), pid: process.pid, stamp: processStamp(process.pid) });
}

/**
 * @param {string} path
 * @returns {string | undefined} undefined if there is no lock
 */
export function readLock(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Whom a lock names, dead or alive.
 * @param {string | undefined} content
 * @returns {LockHolder | undefined} undefined if the content is damaged
 */
export function namedHolder(content) {
  const mark = parsed(content);
  return mark && { pid: mark.pid, isElsewhere: mark.realm !== processRealm() };
}

/**
 * The process that a lock names, if it lives and is visible here.
 * @param {string | undefined} content
 * @returns {LockHolder | undefined}
 */
export function visibleHolder(content) {
  const mark = parsed(content);
  if (mark?.stamp === undefined || mark.realm !== processRealm()) return undefined;
  return processStamp(mark.pid) === mark.stamp ? { pid: mark.pid, isElsewhere: false } : undefined;
}

/**
 * The holder of a lock, if it lives. A process of another container is not visible here. It lives if it touches the
 * lock while this process watches, so no clocks are compared.
 * @param {string} path
 * @param {string} content of the lock when it was read
 * @param {Patience} patience
 * @returns {Promise<LockHolder | undefined>} undefined if it has ended, or no longer holds the lock
 * @throws {Error} AbortError if the wait was aborted
 */
export async function livingHolder(path, content, { silentMs = SILENT_MS, onWait, signal }) {
  const holder = namedHolder(content);
  if (holder?.isElsewhere !== true) return visibleHolder(content);
  onWait?.(silentMs);
  return (await isTouched(path, content, silentMs, signal)) ? holder : undefined;
}

/**
 * @param {string} path
 * @param {string} content
 * @param {number} silentMs
 * @param {AbortSignal | undefined} signal
 */
async function isTouched(path, content, silentMs, signal) {
  const touchedMs = touchedAt(path);
  const deadlineMs = performance.now() + silentMs;
  while (performance.now() < deadlineMs) {
    await sleep(POLL_MS, undefined, { signal });
    if (readLock(path) !== content) return false;
    if (touchedAt(path) !== touchedMs) return true;
  }
  return false;
}

/** @param {string} path */
function touchedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Older versions wrote no realm; their processes count as those of this one.
 * @param {string | undefined} content
 * @returns {{ pid: number, stamp: string | undefined, realm: string } | undefined}
 */
function parsed(content) {
  try {
    const { pid, stamp, realm = processRealm() } = JSON.parse(content ?? '');
    return Number.isInteger(pid) ? { pid, stamp, realm } : undefined;
  } catch {
    return undefined;
  }
}
