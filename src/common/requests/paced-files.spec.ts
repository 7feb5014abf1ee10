import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paceFiles } from './paced-files.js';

const FILE = Buffer.alloc(400_000, 'paced');
/** More than the buffers of a connection hold. */
const LARGE_BYTES = 30_000_000;
const READERS = 30;

describe('paceFiles', () => {
  let root: string;
  let path: string;
  let url: string;
  let server: FastifyInstance;
  /** Chunks that responses have written in one iteration of the event loop, at most. */
  let most = 0;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'paced-'));
    path = join(root, 'file');
    await writeFile(path, FILE);
    server = fastify({ forceCloseConnections: true });
    paceFiles(server);
    server.addHook('onSend', (_request, _reply, payload: AsyncIterable<Buffer>, done) => {
      countChunks(payload);
      done(null, payload);
    });
    server.get('/file', (_request, reply) => reply.send(createReadStream(path)));
    server.get('/missing', (_request, reply) => reply.send(createReadStream(join(root, 'none'))));
    await server.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await server.close();
    await rm(root, { recursive: true });
  });

  let served = 0;
  function countChunks(payload: unknown): void {
    (payload as NodeJS.ReadableStream).on('data', () => {
      served += 1;
      most = Math.max(most, served);
      if (served === 1) setImmediate(() => (served = 0));
      const end = performance.now() + 1;
      while (performance.now() < end);
    });
  }

  const answer = async (name: string): Promise<IncomingMessage> => {
    const [response] = (await once(get(`${url}${name}`), 'response')) as [IncomingMessage];
    return response;
  };

  const openFiles = async (): Promise<number> => {
    const links = (await readdir('/proc/self/fd')).map((fd) =>
      readlink(`/proc/self/fd/${fd}`).catch(() => ''),
    );
    return (await Promise.all(links)).filter((target) => target === path).length;
  };

  it('serves few of many readers in one iteration of the event loop, with all bytes', async () => {
    const bodies = Array.from({ length: READERS }, async () => buffer(await answer('/file')));
    for (const body of await Promise.all(bodies)) expect(body.equals(FILE)).toBe(true);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(4);
  });

  it('closes the file when the client disconnects', async () => {
    await writeFile(path, Buffer.alloc(LARGE_BYTES));
    const response = await answer('/file');
    expect(await openFiles()).toBe(1);
    response.destroy();
    await vi.waitFor(async () => expect(await openFiles()).toBe(0));
  });

  it('fails with the error of the file, also of one that waits for its turn', async () => {
    const answers = await Promise.all(Array.from({ length: READERS }, () => answer('/missing')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(READERS).fill(500));
  });
});
