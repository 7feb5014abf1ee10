import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientDisconnected } from '../uploads/receiving/received-file.js';
import { readBody } from './raw-body.js';

const MAX_BYTES = 100_000;
const PROGRESS = { idleTimeoutMs: 1_000, minProgressBytes: 1 };

describe('readBody', () => {
  let server: Server;
  let client: Socket;

  beforeEach(async () => {
    server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    client.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });

  /** Sends the head of a request and the beginning of its body. */
  async function send(head: string, body: string): Promise<IncomingMessage> {
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n${body}`);
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    return request;
  }

  it.each([
    ['complete', 5],
    ['incomplete', 6],
  ])('ends at once for the %s body of a client that has disconnected', async (state, declared) => {
    const request = await send(`Content-Length: ${declared}`, 'hello');
    await expect.poll(() => request.complete).toBe(state === 'complete');
    client.resetAndDestroy();
    await expect.poll(() => request.destroyed).toBe(true);
    await expect(readBody(request, MAX_BYTES, PROGRESS)).rejects.toBeInstanceOf(ClientDisconnected);
  });
});
