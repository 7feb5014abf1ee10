import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that passed through. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

const SLOW_DOWN = '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>';

/** A network to an S3 server whose responses a test can corrupt. It forwards everything else unchanged. */
export class FaultyNetwork {
  readonly seen: SeenRequest[] = [];
  private slowDowns = 0;
  private cutAfterBytes: number | undefined;
  private isSilent = false;
  private readonly server: Server;

  private constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.server = createServer((near, answer) => {
      const { method = '', url = '', headers } = near;
      this.seen.push({ method, path: url, headers });
      if (this.isSilent) return;
      if (this.slowDowns > 0) {
        this.slowDowns -= 1;
        near.resume();
        near.on('end', () => answer.writeHead(503, { 'content-type': 'application/xml' }).end(SLOW_DOWN));
        return;
      }
      // The signature covers the host that the client used.
      const far = request({ hostname, port, method, path: url, headers }, (reply) => {
        answer.writeHead(reply.statusCode!, reply.headers);
        const limit = method === 'GET' ? this.takeCut() : undefined;
        let passed = 0;
        reply.on('data', (chunk: Buffer) => {
          const rest = limit === undefined ? chunk.length : Math.max(0, limit - passed);
          passed += chunk.length;
          const flushed = rest === 0 || answer.write(chunk.subarray(0, rest));
          if (limit !== undefined && passed >= limit) near.socket.destroySoon();
          else if (!flushed) reply.pause();
        });
        answer.on('drain', () => reply.resume());
        reply.on('end', () => answer.end());
        reply.on('error', () => near.socket.destroy());
      });
      far.on('error', () => near.socket.destroy());
      near.on('error', () => far.destroy());
      answer.on('error', () => far.destroy());
      answer.on('close', () => far.destroy());
      near.pipe(far);
    });
  }

  static async start(target: string): Promise<FaultyNetwork> {
    const network = new FaultyNetwork(target);
    network.server.listen(0, '127.0.0.1');
    await once(network.server, 'listening');
    return network;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Responds to the next requests with 503 SlowDown. */
  slowDown(count: number): void {
    this.slowDowns = count;
  }

  /** Breaks the connection of the next GET after that many bytes of its body. */
  cutNextRead(afterBytes: number): void {
    this.cutAfterBytes = afterBytes;
  }

  /** Turns silence on or off: while silent, no request gets a response. */
  keepSilent(isSilent: boolean): void {
    this.isSilent = isSilent;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private takeCut(): number | undefined {
    const limit = this.cutAfterBytes;
    this.cutAfterBytes = undefined;
    return limit;
  }
}
