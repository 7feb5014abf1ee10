import { JobClient } from '../job-client.mjs';
import { photo } from '../photo.mjs';

const SIZE = [550, 830];

/** Clients that send one small job after the other. Records when jobs end. */
export class JobLoad {
  /** Number of jobs that ended. */
  ended = 0;
  #isStopped = false;
  #lastMs = performance.now();
  #longestMs = 0;
  #clients;

  /** @throws Error when the first job fails */
  static async start(service, operation, clients) {
    const client = new JobClient(service);
    const { url } = await client.upload(await photo(...SIZE));
    const order = { operation, output: { format: 'jpeg' } };
    await client.enhance(url, order);
    const load = new JobLoad();
    load.#clients = Promise.all(
      Array.from({ length: clients }, () => load.#send(() => client.enhance(url, order))),
    );
    // `stop` reports it.
    load.#clients.catch(() => undefined);
    return load;
  }

  /** The longest time since the last call in which no job ended, milliseconds. */
  longestPause() {
    const longestMs = Math.max(this.#longestMs, performance.now() - this.#lastMs);
    this.#longestMs = 0;
    return longestMs;
  }

  /** @throws Error when a job failed */
  async stop() {
    this.#isStopped = true;
    await this.#clients;
  }

  async #send(enhance) {
    while (!this.#isStopped) {
      await enhance();
      const nowMs = performance.now();
      this.#longestMs = Math.max(this.#longestMs, nowMs - this.#lastMs);
      this.#lastMs = nowMs;
      this.ended += 1;
    }
  }
}
