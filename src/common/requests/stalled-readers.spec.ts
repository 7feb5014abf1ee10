import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeStalledReaders } from './stalled-readers.js';

const TIMEOUT_MS = 100;
/** More than the buffers of the system take. */
const LARGE = Buffer.alloc(64_000_000);

describe('closeStalledReaders', () => {
  let server: Server;
  let client: Socket;
  let response: ServerResponse;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    server.timeout = TIMEOUT_MS;
    closeStalledReaders(server);
    await once(server, 'listening');
    const received = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    [, response] = await received;
  });
  afterEach(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });

  it('closes the connection of a reader that takes nothing', async () => {
    response.write(LARGE);
    await once(response, 'close');
    expect(response.writableFinished).toBe(false);
  });

  it('keeps a connection on which a response is awaited, and closes it when a reader then takes nothing', async () => {
    await once(response, 'timeout');
    response.write('first event');
    await once(client, 'readable');
    await once(response, 'timeout');
    expect(response.destroyed).toBe(false);
    response.write(LARGE);
    await once(response, 'close');
  });

  it('leaves idle connections to the timeout for them', async () => {
    const socket = response.socket!;
    server.keepAliveTimeout = 1;
    client.resume();
    response.end();
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });
});
