import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mayReadMetrics, type Metrics } from './metrics.js';

/** Retry interval for the port, which the old process still holds while a new one replaces it on the same host. */
const RETRY_MS = 1_000;
const RETRY_AFTER_SECONDS = 5;

export interface MetricsServerOptions {
  readonly host: string;
  readonly port: number;
  /** Required as `Authorization: Bearer …`. When undefined, anyone who can reach the port may read the metrics. */
  readonly token: string | undefined;
  readonly warn: (text: string) => void;
  /** Returns why the process cannot work now; undefined when it can. Default: the process is always ready. */
  readonly notReady?: () => Promise<string | undefined>;
}

/** `/metrics`, `/health/live`, and `/health/ready` of a process without another HTTP interface. */
export class MetricsServer {
  private readonly server: Server;
  private retry: NodeJS.Timeout | undefined;
  private hasWarned = false;
  private isReady = true;

  constructor(
    private readonly metrics: Metrics,
    private readonly options: MetricsServerOptions,
  ) {
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.on('error', (error) => this.listenLater(error));
    this.listen();
  }

  /** Makes the process report that it is not ready from now on, because it takes no more work. */
  drain(): void {
    this.isReady = false;
  }

  async close(): Promise<void> {
    clearTimeout(this.retry);
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private listen(): void {
    this.server.listen(this.options.port, this.options.host);
  }

  private listenLater(error: Error): void {
    if (!this.hasWarned) this.options.warn(`metrics are not served yet: ${error.message}`);
    this.hasWarned = true;
    this.retry = setTimeout(() => this.listen(), RETRY_MS);
  }

  private async answerReady(response: ServerResponse): Promise<void> {
    if (!this.isReady) return say(response, 503, 'not ready: draining');
    const reason = await this.options.notReady?.();
    if (reason === undefined) return say(response, 200, 'ok');
    say(response, 503, `not ready: ${reason}`);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?', 1)[0];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) return say(response, 405, 'Only GET.');
    if (path === '/health/live') return say(response, 200, 'ok');
    if (path === '/health/ready') return this.answerReady(response);
    if (path !== '/metrics')
      return say(response, 404, 'Not found. Available: /metrics, /health/live and /health/ready.');
    if (!mayReadMetrics(this.options.token, request.headers.authorization)) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      return say(response, 401, 'Send METRICS_TOKEN as "Authorization: Bearer …".');
    }
    try {
      const text = await this.metrics.text();
      say(response, 200, text, this.metrics.contentType);
    } catch (error) {
      this.options.warn(`metrics could not be read: ${String(error)}`);
      say(response, 500, 'Metrics could not be read.');
    }
  }
}

function say(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  const retry = status === 503 ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {};
  response
    .writeHead(status, { 'Content-Type': type, ...retry })
    .end(text.endsWith('\n') ? text : `${text}\n`);
}
