import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf, isAlive } from './process-tree.mjs';

const PERIOD_MS = 500;
const END_MS = 20_000;

/** Remembers every process that ran below the roles, so that none of them can outlive its role unnoticed. */
export class ProcessWatch {
  #seen = new Map();
  #timer;

  /** @param {() => number[]} roots process ids of the roles that run now */
  constructor(roots) {
    this.#timer = setInterval(() => {
      for (const each of descendantsOf(roots())) this.#seen.set(`${each.pid}/${each.startTicks}`, each);
    }, PERIOD_MS).unref();
  }

  stop() {
    clearInterval(this.#timer);
  }

  /** Those that still run a while after every role has ended. */
  async leftovers() {
    const endMs = performance.now() + END_MS;
    for (;;) {
      const alive = [...this.#seen.values()].filter((each) => isAlive(each));
      if (alive.length === 0 || performance.now() > endMs) return alive;
      await sleep(PERIOD_MS);
    }
  }
}
