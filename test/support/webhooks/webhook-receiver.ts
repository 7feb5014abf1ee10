import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly createdAt: string;
    readonly data: object;
  };
  /** `performance.now()` at its first byte. */
  readonly atMs: number;
}

export type AnswerRequest = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

/** Responds with 204, like a good receiver. */
export const acknowledge: AnswerRequest = (_request, response) => void response.writeHead(204).end();

/** Accepts the request and never responds. */
export const neverAnswer: AnswerRequest = () => undefined;

/** Responds with this status. */
export const answerWith =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): AnswerRequest =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

/** A webhook receiver on this machine that keeps everything it receives. */
export class WebhookReceiver {
  readonly received: ReceivedRequest[] = [];
  /** The response of each path; `acknowledge` by default. */
  readonly answers = new Map<string, AnswerRequest>();
  /** Events (by path and id) that were being received twice at the same moment. */
  readonly overlaps: string[] = [];
  private readonly open = new Set<string>();
  private readonly server = createServer((request, response) => void this.take(request, response));
  private port = 0;

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await receiver.up();
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** The requests to one path, oldest first. */
  at(path: string): ReceivedRequest[] {
    return this.received.filter((request) => request.path === path);
  }

  /** Listens (again) on the same port. */
  async up(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Breaks every connection and refuses new ones. */
  async down(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const event = JSON.parse(body) as ReceivedRequest['event'];
    const received = { path: request.url!, headers: request.headers, body, event, atMs };
    const key = `${received.path} ${event.id}`;
    if (this.open.has(key)) this.overlaps.push(key);
    this.open.add(key);
    response.once('close', () => this.open.delete(key));
    this.received.push(received);
    await (this.answers.get(received.path) ?? acknowledge)(received, response);
  }
}
