import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../kernel/app-error.js';
import { ClientDisconnected } from '../uploads/receiving/received-file.js';
import { readBody } from './raw-body.js';

const MAX_BYTES = 100_000;
const LAST_CHUNK = '0\r\n\r\n';
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

  const CHUNKED = 'Transfer-Encoding: chunked';
  const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${'A'.repeat(bytes)}\r\n`;

  it.each([
    ['arrives meanwhile', LAST_CHUNK, ''],
    ['arrives later', '', LAST_CHUNK],
  ])('waits for memory longer than for a slow sender, when the end %s', async (_when, now, later) => {
    const request = await send(CHUNKED, chunk(20_000) + now);
    const reserve = vi.fn<() => Promise<void>>(async () => {
      await setTimeout(PROGRESS.idleTimeoutMs * 1.5);
      client.write(later);
    });
    const body = await readBody(request, MAX_BYTES, PROGRESS, { afterBytes: 16_384, reserve });
    expect(body.text()).toBe('A'.repeat(20_000));
    expect(reserve).toHaveBeenCalledTimes(1);
  });

  it('reserves no memory for a short body', async () => {
    const reserve = vi.fn<() => Promise<void>>(async () => undefined);
    const request = await send(CHUNKED, chunk(16_384) + LAST_CHUNK);
    const body = await readBody(request, MAX_BYTES, PROGRESS, { afterBytes: 16_384, reserve });
    expect(body.length).toBe(16_384);
    expect(reserve).not.toHaveBeenCalled();
  });

  it('fails when there is no memory', async () => {
    const request = await send(CHUNKED, chunk(20_000));
    const full = new AppError('too_many_uploads');
    const long = { afterBytes: 16_384, reserve: () => Promise.reject(full) };
    await expect(readBody(request, MAX_BYTES, PROGRESS, long)).rejects.toBe(full);
  });
});
