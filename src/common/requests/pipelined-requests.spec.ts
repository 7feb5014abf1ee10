import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveInOrder } from './pipelined-requests.js';

describe('serveInOrder', () => {
  let server: Server;
  let running = 0;
  let most = 0;
  let handled: string[] = [];

  beforeEach(async () => {
    [running, most, handled] = [0, 0, []];
    server = createServer((request, response) => {
      running += 1;
      most = Math.max(most, running);
      handled.push(request.url!);
      response.once('close', () => (running -= 1));
      if (request.url === '/stuck') return;
      if (request.url === '/last') response.setHeader('Connection', 'close');
      void pause(5).then(() => response.end(`body of ${request.url!};`));
    });
    serveInOrder(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const requestFor = (path: string, connection = 'keep-alive'): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`;

  const send = (requests: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(requests);
    return socket;
  };

  it('answers requests that were sent at once in their order, one at a time', async () => {
    const paths = Array.from({ length: 20 }, (_each, index) => `/${index}`);
    const requests = paths.map((path) => requestFor(path, path === '/19' ? 'close' : 'keep-alive'));
    const received = await text(send(requests.join('')));
    expect(received.match(/body of [^;]+/g)).toEqual(paths.map((path) => `body of ${path}`));
    expect(most).toBe(1);
  });

  it('handles nothing after a response that ends the connection', async () => {
    const received = await text(send(requestFor('/last') + requestFor('/late')));
    expect(received.match(/body of [^;]+/g)).toEqual(['body of /last']);
    expect(handled).toEqual(['/last']);
  });

  it('handles none of the waiting requests of a connection that broke', async () => {
    const socket = send(requestFor('/stuck') + requestFor('/never').repeat(10));
    await vi.waitFor(() => expect(handled).toEqual(['/stuck']));
    socket.destroy();
    await vi.waitFor(() => expect(running).toBe(0));
    expect(await text(send(requestFor('/other', 'close')))).toContain('body of /other');
    expect(handled).toEqual(['/stuck', '/other']);
  });

  it.each([33, 34, 100])(
    'answers the first 33 of %i requests that were sent at once, then closes',
    async (sent) => {
      const paths = Array.from({ length: sent }, (_each, index) => `/${index}`);
      const received = await text(send(paths.map((path) => requestFor(path)).join('')));
      expect(received.match(/body of [^;]+/g)).toEqual(paths.slice(0, 33).map((path) => `body of ${path}`));
      expect(received.match(/^Connection: .*$/gm)!.indexOf('Connection: close')).toBe(32);
      expect(handled).toEqual(paths.slice(0, 33));
    },
  );

  it('closes a connection that sends hundreds of requests ahead', async () => {
    expect(await text(send(requestFor('/1').repeat(700)))).toBe('');
    await vi.waitFor(() => expect(running).toBe(0));
    expect(handled).toEqual(['/1']);
  });
});
