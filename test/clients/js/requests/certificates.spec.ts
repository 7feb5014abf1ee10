import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionError, ImageEnhancement } from '../../../../clients/js/src/node.js';
import { LOCALHOST_CERTIFICATE } from '../../../../src/infra/net/testing/localhost-certificate.js';

/** A certificate does not become valid within the pauses of the client. */
describe('a server whose certificate is not trusted', () => {
  let server: Server;
  let connections = 0;
  afterEach(() => server.close());

  it.each([
    ['because it is self-signed', () => createServer(LOCALHOST_CERTIFICATE), /self-signed/i],
    ['because it has none', () => createHttpServer(), /wrong version number|packet length/i],
  ])('%s is asked once, and nothing is left in doubt', async (_name, create, message) => {
    server = create();
    connections = 0;
    server.on('connection', () => void (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo;
    const client = new ImageEnhancement({ baseUrl: `https://localhost:${port}`, apiKey: 'ies_x' });
    const order = { operation: 'upscale' } as const;
    for (const call of [
      () => client.usage(),
      () => client.jobs.wait('job_1'),
      () => client.enhance('https://service/files/src_1.png', order),
    ]) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ message: expect.stringMatching(message), jobId: null });
    }
    // The event stream of the wait falls back to a poll.
    expect(connections).toBeLessThanOrEqual(4);
  });
});
