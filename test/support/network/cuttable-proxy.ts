import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP connection to a server that a test can cut, stall and mend, like a network or a killed server. */
export class CuttableProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private port = 0;
  private isStalled = false;

  private constructor(private target: { readonly host: string; readonly port: number }) {
    this.server = createServer((socket) => this.join(socket));
  }

  /** Listens on a free port, and forwards everything to the host and port of `targetUrl`. */
  static async start(targetUrl: string): Promise<CuttableProxy> {
    const { hostname, port } = new URL(targetUrl);
    const proxy = new CuttableProxy({ host: hostname, port: Number(port) });
    await proxy.mend();
    return proxy;
  }

  /** `targetUrl` as it is reached through this proxy. */
  urlOf(targetUrl: string): string {
    const url = new URL(targetUrl);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Accepts connections again on the same port. */
  async mend(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Forwards nothing more, but keeps and accepts connections, like a server that hangs. */
  stall(): void {
    this.isStalled = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Forwards what `stall` held back. */
  flow(): void {
    this.isStalled = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Forwards new connections to another server, like a virtual IP or a DNS name after a failover. */
  retarget(targetUrl: string): void {
    const { hostname, port } = new URL(targetUrl);
    this.target = { host: hostname, port: Number(port) };
  }

  async close(): Promise<void> {
    if (this.server.listening) await this.cut();
  }

  private join(near: Socket): void {
    const far = connect(this.target.port, this.target.host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
      if (this.isStalled) from.pause();
    }
  }
}
