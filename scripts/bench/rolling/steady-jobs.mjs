import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawPicture } from '../../chaos/load/pictures.mjs';
import { seededRandom } from '../../chaos/random.mjs';

const ORDERS = [
  { operation: 'auto_enhance' },
  { operation: 'upscale', level: 'low' },
  { operation: 'smooth_skin', level: 'low' },
];
/** The operations that the jobs need. */
export const OPERATIONS = ORDERS.map(({ operation }) => operation);
/** Timeout of one request of a client. */
const PATIENCE_MS = 180_000;
const RETRY_MS = 250;

/**
 * Runs jobs at a constant rate, each from the upload to the downloaded result. Requests are retried like in a careful
 * client, and every response is counted.
 */
export class SteadyJobs {
  jobs = [];
  /** Number of responses by `METHOD route: status`. */
  answers = new Map();
  /** Errors that a client must never see. */
  faults = [];
  /** Number of connections that broke before a response, by reason. */
  broken = new Map();
  #running = [];
  #isStopped = false;

  constructor({ baseUrl, key, perSecond, seed = 1 }) {
    Object.assign(this, { baseUrl, key, perSecond, random: seededRandom(seed, 'rolling') });
  }

  start() {
    this.#loop = this.#begin();
  }

  /** Resolves when every job has ended or was abandoned. */
  async stop() {
    this.#isStopped = true;
    await this.#loop;
    await Promise.all(this.#running);
  }

  #loop = Promise.resolve();

  async #begin() {
    const startedMs = performance.now();
    for (let number = 0; !this.#isStopped; number += 1) {
      const dueMs = startedMs + (number * 1_000) / this.perSecond;
      await sleep(Math.max(0, dueMs - performance.now()));
      this.#running.push(this.#job(number));
    }
  }

  async #job(number) {
    const begunMs = performance.now();
    const entry = { status: 'lost' };
    this.jobs.push(entry);
    try {
      const form = new FormData();
      form.append('file', new Blob([await drawPicture(this.random)]), 'photo');
      const { url } = await this.#ask('POST', '/api/ai/upload', { body: form });
      const order = JSON.stringify({ sourceUrl: url, ...ORDERS[number % ORDERS.length] });
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const { id } = await this.#ask('POST', '/api/ai/enhance', { body: order, headers });
      entry.id = id;
      const job = await this.#ended(id);
      Object.assign(entry, { status: job.status, attempts: job.attempts });
      if (job.status !== 'completed') return;
      const bytes = await this.#ask('GET', new URL(job.resultUrl).pathname, { url: job.resultUrl });
      if (bytes.length !== job.result.bytes) entry.status = 'result differs';
    } catch (error) {
      this.faults.push(error.message);
    } finally {
      entry.tookMs = performance.now() - begunMs;
    }
  }

  async #ended(id) {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const job = await this.#ask('GET', `/api/ai/enhance/${id}`, { headers: { prefer: 'wait=20' } });
      if (!['queued', 'processing'].includes(job.status)) return job;
      if (performance.now() > endMs) return job;
    }
  }

  /** Retries a request that the service or the network rejected. @throws Error for responses that must not occur */
  async #ask(method, path, { url = `${this.baseUrl}${path}`, headers = {}, body }) {
    const route = `${method} ${path.replace(/\/(?:job|src)_.*$/, '/:id')}`;
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.#answer(method, url, headers, body);
      if (answer !== undefined) {
        const { status } = answer;
        this.answers.set(`${route}: ${status}`, (this.answers.get(`${route}: ${status}`) ?? 0) + 1);
        if (status < 400) return answer.content;
        const retryAfter = answer.headers.get('retry-after');
        // 429: a client that is catching up sends too many requests at once.
        if (![429, 503].includes(status) || retryAfter === null)
          throw new Error(`${route}: ${status} ${JSON.stringify(answer.content)}`);
        await sleep(Number(retryAfter) * 1_000);
      }
      if (performance.now() > endMs) throw new Error(`${route}: no answer within ${PATIENCE_MS / 1_000} s`);
      await sleep(RETRY_MS);
    }
  }

  /** Undefined when the connection broke. */
  async #answer(method, url, headers, body) {
    try {
      const answer = await fetch(url, { method, body, headers: { 'x-api-key': this.key, ...headers } });
      const isJson = (answer.headers.get('content-type') ?? '').includes('json');
      const content = isJson ? await answer.json() : Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, headers: answer.headers, content };
    } catch (error) {
      const reason = error.cause?.code ?? error.cause?.message ?? error.message;
      this.broken.set(reason, (this.broken.get(reason) ?? 0) + 1);
      return undefined;
    }
  }
}
