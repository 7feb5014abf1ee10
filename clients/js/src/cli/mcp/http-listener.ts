import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { areEqual } from '../../webhooks/hmac.js';
import { parsedUrl } from '../../http/checks.js';
import type { McpSdk, McpServer } from './sdk.js';

const PATH = '/mcp';
/** Names of this machine. Checking `Host` and `Origin` against them stops DNS rebinding by pages of other sites. */
const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Access control of the HTTP server. */
export interface HttpAccess {
  readonly host: string;
  readonly port: number;
  /** Further allowed names in `Host` and `Origin`. */
  readonly allowedHosts: readonly string[];
  /** Undefined allows anyone who can connect. */
  readonly token: string | undefined;
}

/**
 * Serves the streamable HTTP transport at `/mcp`, without sessions. When a client disconnects, its request is aborted
 * and the job canceled.
 */
export async function listenHttp(
  sdk: McpSdk,
  access: HttpAccess,
  newServer: () => McpServer,
): Promise<Server> {
  const allowed = [access.host, ...access.allowedHosts].map((name) => name.toLowerCase());
  const names = new Set([...LOCAL_NAMES, ...allowed]);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request, names, access.token);
    if (refusal === undefined) await serve(sdk, newServer(), request, response);
    else refuse(response, refusal);
  };
  const server = createServer((request, response) => {
    // No request may end the process.
    answer(request, response).catch(() => {
      if (response.headersSent) response.end();
      else refuse(response, { status: 500, message: 'The request could not be served.' });
    });
  });
  server.listen(access.port, access.host);
  await once(server, 'listening');
  return server;
}

/** The address on which it listens. */
export function addressOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${PATH}`;
}

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function refusalOf(
  request: IncomingMessage,
  names: ReadonlySet<string>,
  token: string | undefined,
): Refusal | undefined {
  const { host, origin, authorization } = request.headers;
  if (!names.has(hostNameOf(`http://${host}`)))
    return { status: 403, message: `The host ${host} is not allowed. Allow it with --allow-host.` };
  if (origin !== undefined && !names.has(hostNameOf(origin)))
    return { status: 403, message: `The origin ${origin} is not allowed. Allow it with --allow-host.` };
  if (token !== undefined && !areEqual(authorization ?? '', `Bearer ${token}`))
    return {
      status: 401,
      message: 'The token is missing or wrong.',
      headers: { 'www-authenticate': 'Bearer' },
    };
  if (pathOf(request.url ?? '/') !== PATH) return { status: 404, message: `There is only ${PATH}.` };
  // There are no sessions, so GET and DELETE have no meaning.
  if (request.method !== 'POST') return { status: 405, message: 'Use POST.', headers: { allow: 'POST' } };
  return undefined;
}

/** The target of a request is a path, or a whole URL when it came through a proxy. */
function pathOf(target: string): string | undefined {
  return parsedUrl(target.startsWith('/') ? `http://localhost${target}` : target)?.pathname;
}

function hostNameOf(url: string): string {
  return parsedUrl(url)?.hostname.toLowerCase() ?? '';
}

async function serve(
  sdk: McpSdk,
  server: McpServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const transport = new sdk.StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.once('close', () => void server.close().catch(() => undefined));
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  const error = { code: -32_000, message };
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}
