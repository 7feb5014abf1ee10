import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Forwards requests to a service and its responses back, except those that it is told to swallow: then the service
 * has done its work, but the client never hears of it.
 */
export class SwallowingProxy {
  private readonly server = createServer((request, response) => this.pass(request, response));
  private left = 0;
  private onSwallowed: () => void = () => undefined;

  private constructor(private readonly target: URL) {}

  static async start(targetUrl: string): Promise<SwallowingProxy> {
    const proxy = new SwallowingProxy(new URL(targetUrl));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Swallows the responses to the next requests that create a job.
   * @returns a promise that resolves when the service has sent the first of these responses
   */
  swallow(count: number): Promise<void> {
    this.left = count;
    return new Promise((resolve) => (this.onSwallowed = resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const isCreation = request.method === 'POST' && request.url === '/api/ai/enhance';
    const isSwallowed = isCreation && this.left > 0;
    if (isSwallowed) this.left -= 1;
    const { hostname: host, port } = this.target;
    const { method, url: path, headers } = request;
    const onward = send({ host, port, method, path, headers }, (answer) => {
      if (isSwallowed) {
        answer.resume().once('end', () => this.onSwallowed());
        return;
      }
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => {
      if (!response.writableFinished && !isSwallowed) onward.destroy();
    });
    request.pipe(onward);
  }
}
