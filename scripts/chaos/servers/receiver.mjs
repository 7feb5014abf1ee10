import { once } from 'node:events';
import { createServer } from 'node:http';
import { built } from '../../lib/built.mjs';
import { seededRandom } from '../random.mjs';

/** How the receiver handles a delivery: mostly it succeeds, sometimes it fails like real receivers. */
const FAILURES = [
  { name: 'error', share: 0.1 },
  { name: 'reset', share: 0.04 },
  { name: 'hang', share: 0.02 },
];

/** A webhook receiver that fails at random, and can be disconnected from the network. */
export class Receiver {
  #server = createServer((request, response) => void this.#take(request, response));
  #secrets = new Map();
  #port = 0;
  #isHealthy = false;

  constructor({ seed, history, verify }) {
    this.history = history;
    this.verify = verify;
    this.random = seededRandom(seed, 'receiver');
  }

  static async open({ seed, history }) {
    const { verifyWebhook } = await built('kernel/webhooks/webhook-verification.js');
    const receiver = new Receiver({ seed, history, verify: verifyWebhook });
    await receiver.listen();
    return receiver;
  }

  urlFor(account) {
    return `http://127.0.0.1:${this.#port}/${account}`;
  }

  expect(account, secret) {
    this.#secrets.set(`/${account}`, secret);
  }

  /** From now on, every delivery succeeds. */
  heal() {
    this.#isHealthy = true;
  }

  async listen() {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = this.#server.address().port;
  }

  async close() {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(request, response) {
    try {
      const body = await bodyOf(request);
      const failure = this.#isHealthy ? undefined : this.#chooseFailure();
      const status = failure === undefined ? 204 : failure === 'error' ? 500 : null;
      this.#record(request, body, status);
      if (status !== null) response.writeHead(status).end();
      else if (failure === 'reset') request.socket.resetAndDestroy();
    } catch {
      // The sender disconnected during the delivery, so it does not count.
    }
  }

  #record(request, body, status) {
    const verdict = this.verify({
      header: request.headers['x-service-signature'],
      body,
      secret: this.#secrets.get(request.url),
      nowSeconds: Math.floor(Date.now() / 1000),
    });
    const { id, type } = JSON.parse(body.toString('utf8'));
    const fault = verdict.valid ? null : verdict.fault;
    this.history.add('received', { account: request.url.slice(1), event: id, type, status, fault });
  }

  #chooseFailure() {
    let left = this.random.next();
    return FAILURES.find(({ share }) => (left -= share) < 0)?.name;
  }
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
