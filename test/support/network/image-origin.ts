import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { LOCALHOST_CERTIFICATE } from '../../../src/infra/net/testing/localhost-certificate.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server on this machine that images are fetched from. */
export class ImageOrigin {
  /** The requested paths, in order. */
  readonly asked: string[] = [];
  private readonly handlers = new Map<string, Handler>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: string,
  ) {}

  static async start({ tls = false } = {}): Promise<ImageOrigin> {
    let origin: ImageOrigin | undefined;
    const answer: Handler = (request, response) => origin?.answer(request, response);
    const server = tls ? createTlsServer(LOCALHOST_CERTIFICATE, answer) : createServer(answer);
    origin = new ImageOrigin(server, tls ? 'https' : 'http');
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    return origin;
  }

  url(path: string): string {
    return `${this.scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  on(path: string, handler: Handler): string {
    this.handlers.set(path, handler);
    return this.url(path);
  }

  /** Serves these bytes at a path. */
  serve(path: string, bytes: Buffer | string, type = 'image/jpeg'): string {
    return this.on(path, (_, response) => response.writeHead(200, { 'content-type': type }).end(bytes));
  }

  redirect(path: string, location: string): string {
    return this.on(path, (_, response) => response.writeHead(302, { location }).end());
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => void this.server.close(done));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(request.url!);
    const handler = this.handlers.get(request.url!.split('?')[0]!);
    if (handler === undefined) response.writeHead(404).end('nothing here');
    else handler(request, response);
  }
}
