import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf, isAlive } from '../../lib/child-processes.mjs';

const PERIOD_MS = 500;
const END_MS = 20_000;

/** Records every descendant of the roles, to detect processes that outlive their role. */
export class ProcessWatch {
  #seen = new Map();
  #timer;

  /** @param {() => number[]} roots ids of the current role processes */
  constructor(roots) {
    this.#timer = setInterval(() => {
      for (const each of descendantsOf(...roots())) this.#seen.set(`${each.pid}/${each.startTicks}`, each);
    }, PERIOD_MS).unref();
  }

  stop() {
    clearInterval(this.#timer);
  }

  /** Processes that still run some time after every role has ended. */
  async leftovers() {
    const endMs = performance.now() + END_MS;
    for (;;) {
      const alive = [...this.#seen.values()].filter((each) => isAlive(each));
      if (alive.length === 0 || performance.now() > endMs) return alive;
      await sleep(PERIOD_MS);
    }
  }
}
