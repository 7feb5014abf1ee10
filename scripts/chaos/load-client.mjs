import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawPicture } from './pictures.mjs';

const OPERATIONS = ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove'];
const LEVELS = ['low', 'medium', 'high'];
const REQUEST_MS = 30_000;
const WAIT_MS = 60_000;
const PAUSE_MS = [300, 1_200];

/** One customer's program: uploads, creates jobs, waits, cancels, deletes, and writes down what it is told. */
export class LoadClient {
  constructor({ name, account, client, history, random }) {
    Object.assign(this, { name, account, client, history, random });
  }

  /** Works until told to stop; a request that fails is written down and the work goes on. */
  async run(signal) {
    while (!signal.aborted) {
      await this.#round(signal);
      await sleep(this.random.integer(...PAUSE_MS));
    }
  }

  async #round(signal) {
    const file = await drawPicture(this.random);
    const source = await this.#record('upload', {}, () =>
      this.client.upload(file, { idempotencyKey: randomUUID(), timeoutMs: REQUEST_MS }),
    );
    if (source === undefined) return;
    const jobs = [];
    for (let left = this.random.integer(1, 3); left > 0 && !signal.aborted; left -= 1) {
      jobs.push(await this.#create(source));
    }
    await Promise.all(jobs.filter((job) => job !== undefined).map((job) => this.#finish(job)));
    if (this.random.chance(0.15)) {
      const options = { timeoutMs: REQUEST_MS };
      await this.#record('delete-source', { source: source.id }, () =>
        this.client.sources.delete(source.id, options),
      );
    }
  }

  async #create(source) {
    const idempotencyKey = randomUUID();
    const order = {
      sourceUrl: source.url,
      operation: this.random.pick(OPERATIONS),
      level: this.random.pick(LEVELS),
    };
    const create = () =>
      this.#record('create', { key: idempotencyKey, source: source.id, operation: order.operation }, () =>
        this.client.jobs.create(order, { idempotencyKey, timeoutMs: REQUEST_MS }),
      );
    const job = await create();
    // As a program does that was restarted before it noted the answer.
    return this.random.chance(0.2) ? ((await create()) ?? job) : job;
  }

  async #finish({ id }) {
    const way = this.random.next();
    const options = { timeoutMs: REQUEST_MS };
    if (way < 0.1) await this.#record('cancel', { job: id }, () => this.client.jobs.cancel(id, options));
    else if (way < 0.18)
      await this.#record('delete', { job: id }, () => this.client.jobs.delete(id, options));
    else if (way < 0.35) await this.#record('poll', { job: id }, () => this.client.jobs.get(id, options));
    else await this.#record('wait', { job: id }, () => this.client.jobs.wait(id, { timeoutMs: WAIT_MS }));
  }

  /** @returns the answer; `undefined` when there was none, or an error */
  async #record(op, details, send) {
    const entry = { op, client: this.name, account: this.account.id, ...details };
    this.history.add('op', { ...entry, phase: 'begin' });
    try {
      const answer = await send();
      this.history.add('op', { ...entry, phase: 'ok', id: answer?.id, status: answer?.status });
      return answer;
    } catch (error) {
      this.history.add('op', { ...entry, phase: 'error', code: error.code, text: error.message });
      return undefined;
    }
  }
}
