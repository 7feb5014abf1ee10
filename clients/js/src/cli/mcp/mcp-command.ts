import { once } from 'node:events';
import process from 'node:process';
import type { ImageEnhancement } from '../../node.js';
import { type CommandLine, UsageError } from '../arguments.js';
import { addressOf, listenHttp } from './http-listener.js';
import { mcpServer } from './mcp-server.js';
import { Roots } from './roots.js';
import { loadMcpSdk, type McpServer, type McpTransport } from './sdk.js';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Serves until the client disconnects (stdio) or the signal is aborted (HTTP). @throws UsageError */
export async function mcpCommand(
  client: ImageEnhancement,
  line: CommandLine,
  signal: AbortSignal,
): Promise<void> {
  const { roots: folders, httpPort: port, host, allowedHosts } = line.mcp;
  const roots = await Roots.of(folders);
  const given = process.env['IMAGE_ENHANCEMENT_MCP_TOKEN'];
  const token = given === '' ? undefined : given;
  if (port !== undefined && token === undefined && !LOOPBACK.has(host)) {
    throw new UsageError(
      `Everybody who reaches ${host} could use your key. Set IMAGE_ENHANCEMENT_MCP_TOKEN, which clients send as a bearer token, or listen on 127.0.0.1.`,
    );
  }
  const sdk = await loadMcpSdk();
  const newServer = () => mcpServer(sdk, client, roots);
  if (port === undefined) {
    await serveStdio(new sdk.StdioServerTransport(), newServer(), signal);
    return;
  }
  const server = await listenHttp(sdk, { host, port, allowedHosts, token }, newServer);
  // This text is for people, so it goes to standard error, although standard output is free.
  process.stderr.write(`Serving the Model Context Protocol at ${addressOf(server)}\n`);
  await aborted(signal);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

async function serveStdio(transport: McpTransport, server: McpServer, signal: AbortSignal): Promise<void> {
  await server.connect(transport);
  const ended = once(process.stdin, 'end');
  await Promise.race([ended, aborted(signal)]);
  // Also aborts running calls, whose jobs are canceled.
  await server.close();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
