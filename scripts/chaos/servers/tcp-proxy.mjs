import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A TCP link between one role process and one server, which can be stalled, cut, and reset. */
export class TcpProxy {
  #server = createServer((socket) => this.#join(socket));
  #sockets = new Set();
  #isStalled = false;
  #port = 0;

  /** @param {() => { host: string, port: number }} target called for every connection, because servers move */
  constructor(target) {
    this.target = target;
  }

  static async open(target) {
    const proxy = new TcpProxy(target);
    await proxy.mend();
    return proxy;
  }

  get port() {
    return this.#port;
  }

  /** Stops all traffic in both directions. Connections stay open. */
  stall() {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Closes every connection and refuses new ones. */
  async cut() {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Resets every connection (RST). New connections are accepted. */
  reset() {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Reverts `stall` and `cut`. The port stays the same. */
  async mend() {
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
    if (this.#server.listening) return;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = this.#server.address().port;
  }

  #join(near) {
    const far = connect(this.target());
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk) => {
        if (!to.write(chunk)) from.pause();
      });
      to.on('drain', () => {
        if (!this.#isStalled) from.resume();
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isStalled) from.pause();
    }
  }
}
