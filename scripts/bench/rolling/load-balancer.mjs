import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const LOOK_MS = 200;
const LOOK_TIMEOUT_MS = 2_000;

/**
 * Forwards connections to the ready api processes in turn, like a Kubernetes Service. Apart from `GET /health/ready`,
 * it does not interpret HTTP.
 */
export class LoadBalancer {
  #server = createServer((client) => this.#forward(client));
  #backends = new Map();
  #turn = 0;
  #looking;

  static async open() {
    const balancer = new LoadBalancer();
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    balancer.#looking = balancer.#lookOn();
    return balancer;
  }

  get port() {
    return this.#server.address().port;
  }

  add(port) {
    this.#backends.set(port, false);
  }

  remove(port) {
    this.#backends.delete(port);
  }

  async close() {
    this.isClosed = true;
    await this.#looking;
    this.#server.close();
  }

  async #lookOn() {
    while (!this.isClosed) {
      await Promise.all([...this.#backends.keys()].map((port) => this.#look(port)));
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  async #look(port) {
    const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
    try {
      const { ok } = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal });
      if (this.#backends.has(port)) this.#backends.set(port, ok);
    } catch (error) {
      // A slow response on a busy machine does not mean that the process is not ready.
      if (error.name !== 'TimeoutError' && this.#backends.has(port)) this.#backends.set(port, false);
    }
  }

  #forward(client) {
    const ready = [...this.#backends].filter(([, isReady]) => isReady).map(([port]) => port);
    this.#turn += 1;
    this.#connect(
      client,
      ready.map((_, index) => ready[(this.#turn + index) % ready.length]),
    );
  }

  #connect(client, [port, ...others]) {
    client.on('error', () => undefined);
    if (port === undefined) {
      client.destroy();
      return;
    }
    const backend = connect(port, '127.0.0.1');
    backend.once('error', () => this.#connect(client, others));
    backend.once('connect', () => {
      backend.removeAllListeners('error');
      for (const [from, to] of [
        [client, backend],
        [backend, client],
      ]) {
        from.on('error', () => to.destroy());
        from.once('close', () => to.destroy());
        from.pipe(to);
      }
    });
  }
}
