import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connectionDrain } from './connection-drain.js';

/** Longer than any test may take. */
const NEVER_MS = 3_600_000;
const SOON_MS = 50;
const REQUEST = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

describe('connectionDrain', () => {
  let server: Server;
  let begin: () => void;
  let client: Socket;
  /** The server's side of the connection. */
  let socket: Socket;

  async function serve(limitMs: number): Promise<void> {
    server = createServer();
    server.keepAliveTimeout = NEVER_MS;
    begin = connectionDrain(server, limitMs);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    client.resume();
    [socket] = await accepted;
  }
  afterEach(() => {
    client.destroy();
    server.closeAllConnections();
  });

  /** Closes the server as Fastify does. */
  async function close(): Promise<void> {
    begin();
    const closed = once(server, 'close');
    server.close();
    await closed;
  }

  async function request(): Promise<ServerResponse> {
    const received = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    client.write(REQUEST);
    return (await received)[1];
  }

  it('closes a connection that was never used', async () => {
    await serve(NEVER_MS);
    await close();
    expect(socket.destroyed).toBe(true);
  });

  it('closes a connection whose response ends after the server was closed', async () => {
    await serve(NEVER_MS);
    const response = await request();
    response.writeHead(200, { 'Content-Length': 8 }).write('half');
    const closed = close();
    expect(socket.destroyed).toBe(false);
    response.end('half');
    await closed;
  });

  it('cuts off a request whose headers never arrive in full', async () => {
    await serve(SOON_MS);
    client.write('GET / HTTP/1.1\r\nHo');
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(0);
    await close();
    expect(socket.destroyed).toBe(true);
  });

  it('lets a request finish within the limit', async () => {
    await serve(NEVER_MS);
    const received: Buffer[] = [];
    client.on('data', (chunk: Buffer) => received.push(chunk));
    const ended = once(client, 'end');
    const response = await request();
    const closed = close();
    response.end('late');
    await Promise.all([closed, ended]);
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*late/);
  });

  it('cuts off a request that takes longer', async () => {
    await serve(SOON_MS);
    const response = await request();
    await close();
    await expect.poll(() => response.closed).toBe(true);
    expect(response.writableFinished).toBe(false);
  });
});
