import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawPicture } from './pictures.mjs';

/** The operations of the load, unless an option overrides them. */
export const OPERATIONS = ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove'];
const LEVELS = ['low', 'medium', 'high'];
const REQUEST_MS = 30_000;
const WAIT_MS = 60_000;
const PAUSE_MS = [300, 1_200];

/**
 * One customer's program. It uploads, creates jobs, waits, reads results, cancels, and deletes, and records every
 * response. Some requests are sent twice with the same key, either consecutively or concurrently.
 */
export class LoadClient {
  #read = new Set();
  #deleted = { job: new Set(), source: new Set() };

  constructor({ name, account, client, history, random, operations }) {
    Object.assign(this, { name, account, client, history, random, operations });
  }

  /** Runs until it is told to stop. A failed request is recorded, and the program continues. */
  async run(signal) {
    while (!signal.aborted) {
      await this.#round(signal);
      await sleep(this.random.integer(...PAUSE_MS));
    }
  }

  async #round(signal) {
    const file = await drawPicture(this.random);
    const source = await this.#upload(file);
    if (source === undefined) return;
    const jobs = [];
    for (let left = this.random.integer(1, 3); left > 0 && !signal.aborted; left -= 1) {
      jobs.push(await this.#create(source));
    }
    await Promise.all(jobs.filter((job) => job !== undefined).map((job) => this.#finish(job)));
    if (this.random.chance(0.15)) {
      this.#deleted.source.add(source.id);
      await this.#record('delete-source', { source: source.id }, () =>
        this.client.sources.delete(source.id, { timeoutMs: REQUEST_MS }),
      );
    }
  }

  /** Reads everything again that was read before, and requests everything that was deleted. */
  async lookAgain() {
    for (const id of this.#read) await this.#readResult('read-again', id);
    const options = { timeoutMs: REQUEST_MS };
    for (const id of this.#deleted.job)
      await this.#record('get-deleted', { job: id }, () => this.client.jobs.get(id, options));
    for (const id of this.#deleted.source)
      await this.#record('get-deleted', { source: id }, () => this.client.sources.get(id, options));
  }

  #upload(file) {
    const idempotencyKey = randomUUID();
    return this.#maybeTwice(() =>
      this.#record('upload', { key: idempotencyKey }, () =>
        this.client.upload(file, { idempotencyKey, timeoutMs: REQUEST_MS }),
      ),
    );
  }

  async #create(source) {
    const idempotencyKey = randomUUID();
    const order = {
      sourceUrl: source.url,
      operation: this.random.pick(this.operations),
      level: this.random.pick(LEVELS),
    };
    return this.#maybeTwice(() =>
      this.#record('create', { key: idempotencyKey, source: source.id, operation: order.operation }, () =>
        this.client.jobs.create(order, { idempotencyKey, timeoutMs: REQUEST_MS }),
      ),
    );
  }

  /** Simulates a program that was restarted before it stored the response, or that runs twice. */
  async #maybeTwice(send) {
    const way = this.random.next();
    if (way < 0.1) {
      const answers = await Promise.all([send(), send()]);
      return answers.find((answer) => answer !== undefined);
    }
    const answer = await send();
    return way < 0.25 ? ((await send()) ?? answer) : answer;
  }

  async #finish({ id }) {
    const way = this.random.next();
    const options = { timeoutMs: REQUEST_MS };
    if (way < 0.1) await this.#record('cancel', { job: id }, () => this.client.jobs.cancel(id, options));
    else if (way < 0.18) await this.#delete(id);
    else if (way < 0.35) await this.#record('poll', { job: id }, () => this.client.jobs.get(id, options));
    else await this.#waitAndRead(id);
  }

  async #waitAndRead(id) {
    const job = await this.#record('wait', { job: id }, () =>
      this.client.jobs.wait(id, { timeoutMs: WAIT_MS }),
    );
    if (job === undefined || !this.random.chance(0.7)) return;
    if ((await this.#readResult('read', id)) !== undefined) this.#read.add(id);
    if (this.random.chance(0.1)) await this.#delete(id);
  }

  #delete(id) {
    this.#deleted.job.add(id);
    const options = { timeoutMs: REQUEST_MS };
    return this.#record('delete', { job: id }, () => this.client.jobs.delete(id, options));
  }

  #readResult(op, id) {
    const options = { timeoutMs: REQUEST_MS };
    return this.#record(op, { job: id }, async () => {
      const bytes = await (await this.client.result(id, options)).bytes(options);
      return { sha256: createHash('sha256').update(bytes).digest('hex') };
    });
  }

  /** @returns the response; `undefined` for none, or for an error */
  async #record(op, details, send) {
    const entry = { op, client: this.name, account: this.account.id, ...details };
    this.history.add('op', { ...entry, phase: 'begin' });
    try {
      const answer = await send();
      const { id, status, sha256 } = answer ?? {};
      this.history.add('op', { ...entry, phase: 'ok', id, status, sha256 });
      return answer;
    } catch (error) {
      this.history.add('op', { ...entry, phase: 'error', code: error.code, text: error.message });
      return undefined;
    }
  }
}
