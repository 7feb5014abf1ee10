import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/**
 * An append-only log file with one JSON object per line, written before the caller continues. `kind` is `run`, `op` (a
 * client's request), `fault`, `recovery` (a timed kill of a worker), `process`, `received` (a webhook), or `final` (the
 * state at the end).
 */
export class History {
  #file;
  #startedMs = performance.now();

  constructor(path) {
    this.path = path;
    this.#file = openSync(path, 'a', 0o600);
  }

  /** Milliseconds since the start of the run. */
  get nowMs() {
    return Math.round(performance.now() - this.#startedMs);
  }

  add(kind, entry) {
    if (this.#file === undefined) return;
    writeSync(this.#file, `${JSON.stringify({ ms: this.nowMs, kind, ...entry })}\n`);
  }

  close() {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** @returns all entries of a history file, in order */
export function readHistory(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
