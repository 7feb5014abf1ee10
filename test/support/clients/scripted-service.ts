import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the service handles one request. */
export type ScriptedReply = (request: IncomingMessage, response: ServerResponse) => void;

/** One request as it arrived. */
export interface SeenRequest {
  /** Method and path, such as `POST /api/ai/enhance`. */
  readonly what: string;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
}

/** Responds with JSON. */
export const scriptedJson =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ScriptedReply =>
  (_request, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

/** Responds with a problem of the service. */
export const scriptedProblem = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): ScriptedReply =>
  scriptedJson(
    status,
    { status, code, title: code, detail: `about ${code}`, requestId: 'req_1', errors: [] },
    headers,
  );

/** A service with scripted responses: refusals and silence, which no healthy service gives on demand. */
export class ScriptedService {
  readonly seen: SeenRequest[] = [];
  private replies = new Map<string, ScriptedReply[]>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
      request.on('end', () => {
        const what = `${request.method} ${request.url}`;
        this.seen.push({ what, body, idempotencyKey: request.headers['idempotency-key'] as string });
        const replies = this.replies.get(what) ?? [scriptedProblem(404, 'not_found')];
        (replies.length > 1 ? replies.shift()! : replies[0]!)(request, response);
      });
    });
  }

  static async start(): Promise<ScriptedService> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedService(server);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forgets earlier requests; the last reply for each request is used for all later ones. */
  script(replies: Readonly<Record<string, readonly ScriptedReply[]>>): void {
    this.seen.length = 0;
    this.replies = new Map(Object.entries(replies).map(([what, list]) => [what, [...list]]));
  }

  /** Resolves when that many requests have arrived. */
  async saw(count: number): Promise<void> {
    while (this.seen.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
