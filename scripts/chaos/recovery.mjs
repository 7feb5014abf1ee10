import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoadMeter } from './load/load-meter.mjs';

const KILLS = 5;
const POLL_MS = 20;
/** Maximum wait until both workers hold jobs. */
const BUSY_MS = 120_000;
/** A worker that held a job within this time counts as working. */
const LATELY_MS = 2_000;
/** A job that was not claimed again by then is recorded as not claimed. */
const GIVE_UP_MS = 45_000;

const HELD = `SELECT id, claims, lease_token FROM jobs WHERE status = 'processing' AND lease_token IS NOT NULL`;
const STATES = `SELECT id, status, claims FROM jobs WHERE id = ANY ($1)`;

/**
 * Kills the supervised worker while it holds jobs, another worker is busy, and there are no other faults. Records how
 * long each of its jobs waited until a worker claimed it again. Times are upper bounds, because they include the
 * polling interval.
 */
export class Recovery {
  #meter = new LoadMeter();

  constructor({ fleet, history }) {
    Object.assign(this, { fleet, history });
    this.healthy = fleet.process('worker-1');
    this.victim = fleet.process('worker-2');
  }

  async run() {
    this.client = new pg.Client({ connectionString: this.fleet.databaseUrl });
    await this.client.connect();
    try {
      for (let number = 1; number <= KILLS; number += 1) {
        const held = await this.#untilBusy();
        if (held === undefined)
          this.history.add('recovery', { number, skipped: 'the workers were not busy' });
        else await this.#kill(number, held);
      }
    } finally {
      await this.client.end();
      await this.#meter.close();
    }
  }

  /**
   * @returns the jobs of the worker to be killed, once both workers have jobs; `undefined` when that does not happen
   *   in time
   */
  async #untilBusy() {
    const endMs = performance.now() + BUSY_MS;
    let seenMs = -Infinity;
    while (performance.now() < endMs) {
      const { rows } = await this.client.query(HELD);
      const isHealthy = ({ lease_token: token }) => token.startsWith(`${this.healthy.leaseOwner}.`);
      if (rows.some(isHealthy)) seenMs = performance.now();
      const held = rows.filter((row) => !isHealthy(row));
      if (held.length > 0 && performance.now() - seenMs < LATELY_MS) return held;
      await sleep(POLL_MS);
    }
    return undefined;
  }

  async #kill(number, held) {
    await this.#meter.take();
    const startedMs = performance.now();
    await this.victim.kill();
    const jobs = new Map(held.map(({ id, claims }) => [id, claims]));
    const waitedMs = await this.#claimTimes(jobs, startedMs);
    const threadsPerCore = await this.#meter.take();
    this.history.add('recovery', { number, jobs: waitedMs, threadsPerCore });
    await this.victim.start();
  }

  /**
   * Milliseconds from the kill to the next claim, by job; null if there was none. Excludes jobs that ended before the
   * kill.
   */
  async #claimTimes(jobs, startedMs) {
    const waitedMs = {};
    while (jobs.size > 0 && performance.now() - startedMs < GIVE_UP_MS) {
      const { rows } = await this.client.query(STATES, [[...jobs.keys()]]);
      for (const { id, status, claims } of rows) {
        const isClaimed = claims > jobs.get(id);
        if (isClaimed) waitedMs[id] = Math.round(performance.now() - startedMs);
        if (isClaimed || status === 'completed' || status === 'failed') jobs.delete(id);
      }
      await sleep(POLL_MS);
    }
    for (const id of jobs.keys()) waitedMs[id] = null;
    return waitedMs;
  }
}
