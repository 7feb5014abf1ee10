import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { listenHttp } from '../../../clients/js/src/cli/mcp/http-listener.js';
import { loadMcpSdk } from '../../../clients/js/src/cli/mcp/sdk.js';

describe('the HTTP listener of the Model Context Protocol', () => {
  let server: Server;
  afterEach(() => server.close());

  const listen = async (allowedHosts: readonly string[] = []) => {
    const access = { host: '127.0.0.1', port: 0, allowedHosts, token: undefined };
    server = await listenHttp(await loadMcpSdk(), access, () => {
      throw new Error('out of memory');
    });
  };
  /** Sends paths and headers that `fetch` does not allow. */
  const statusOf = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<number>((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const outgoing = request({ host: '127.0.0.1', port, path, method: 'GET', headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      outgoing.on('error', reject).end();
    });

  it('responds to every path, and survives it', async () => {
    await listen();
    for (const path of ['//', '///mcp', '/mcp/', '/\\', '*', 'http://[']) {
      expect(await statusOf(path), path).toBe(404);
    }
    expect(await statusOf('/mcp?x=//')).toBe(405);
    expect(await statusOf('http://proxied.example/mcp')).toBe(405);
  });

  it('responds with 500 when a request cannot be served', async () => {
    await listen();
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { message: 'The request could not be served.' } });
  });

  it('ignores the case of allowed hosts', async () => {
    await listen(['Example.com']);
    expect(await statusOf('/mcp', { host: 'example.com' })).toBe(405);
    expect(await statusOf('/mcp', { host: 'EXAMPLE.com:80', origin: 'https://Example.com' })).toBe(405);
    expect(await statusOf('/mcp', { host: 'example.org' })).toBe(403);
  });
});
