import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A TCP link between one role process and one server, which can stall, be cut and be reset. */
export class TcpProxy {
  #server = createServer((socket) => this.#join(socket));
  #sockets = new Set();
  #isStalled = false;
  #port = 0;

  /** @param {() => { host: string, port: number }} target asked at every connection, since servers move */
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

  /** Nothing passes any more, in either direction; connections stay open. */
  stall() {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Ends every connection and refuses new ones. */
  async cut() {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Resets every connection (RST); new ones are accepted. */
  reset() {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Undoes `stall` and `cut`; the port stays the same. */
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
