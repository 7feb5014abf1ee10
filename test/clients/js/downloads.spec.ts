import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionError, type EnhanceResult, ImageEnhancement } from '../../../clients/js/src/node.js';

type Reply = (response: ServerResponse) => void;

const DATA = Buffer.alloc(3_000_000, 'an image');
const digest = createHash('sha256').update(DATA).digest('hex');

/** The test's own server breaks off files or alters them, which no healthy service does. */
describe('reading a result', () => {
  let folder: string;
  let replies: Reply[];
  let asked: number;
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/files/')) {
      asked += 1;
      (replies.length > 1 ? replies.shift()! : replies[0]!)(response);
      return;
    }
    const { port } = server.address() as AddressInfo;
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        id: 'job_1',
        status: 'completed',
        resultUrl: `http://127.0.0.1:${port}/files/job_1.png?exp=1&sig=2`,
        result: { format: 'png', width: 1, height: 1, bytes: DATA.length, sha256: digest },
      }),
    );
  });
  const whole: Reply = (response) => response.end(DATA);
  const other: Reply = (response) => response.end(Buffer.from(DATA).fill(1, 0, 1));
  const broken: Reply = (response) => {
    response.writeHead(200, { 'content-length': DATA.length }).write(DATA.subarray(0, 1_000_000));
    setTimeout(() => response.destroy(), 20);
  };

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(async () => {
    asked = 0;
    folder = await mkdtemp(join(tmpdir(), 'ies-download-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const resultWith = (maxRetries: number): Promise<EnhanceResult> => {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new ImageEnhancement({ baseUrl, apiKey: 'ies_x', maxRetries }).result('job_1');
  };

  it('restarts when it breaks off or the digest is wrong', async () => {
    const result = await resultWith(4);
    replies = [broken, other, whole];
    await result.save(join(folder, 'a.png'));
    expect((await readFile(join(folder, 'a.png'))).equals(DATA)).toBe(true);
    expect(asked).toBe(3);
    replies = [other, broken, whole];
    expect(DATA.equals(await result.bytes())).toBe(true);
    expect(await readdir(folder)).toEqual(['a.png']);
  });

  it('gives up when the digest is always wrong, and keeps an existing file', async () => {
    const result = await resultWith(1);
    await writeFile(join(folder, 'a.png'), 'as it was');
    replies = [other];
    const failed = result.save(join(folder, 'a.png'));
    await expect(failed).rejects.toThrow(/digest/);
    await expect(failed).rejects.toBeInstanceOf(ConnectionError);
    expect(asked).toBe(2);
    expect(await readFile(join(folder, 'a.png'), 'utf8')).toBe('as it was');
    expect(await readdir(folder)).toEqual(['a.png']);
  });

  it('does not retry disk errors, or start before the file can be created', async () => {
    const result = await resultWith(4);
    replies = [whole];
    await expect(result.save(join(folder, 'missing', 'a.png'))).rejects.toMatchObject({
      code: 'not_saved',
      message: expect.stringMatching(/a\.png cannot be written: no such file or directory\.$/),
    });
    await expect(result.save('')).rejects.toMatchObject({
      code: 'not_saved',
      message: 'Give the path of the file to write: save(path).',
    });
    expect(asked).toBe(0);
    await mkdir(join(folder, 'a.png'));
    await expect(result.save(join(folder, 'a.png'))).rejects.toMatchObject({ code: 'not_saved' });
    expect(asked).toBe(1);
    expect(await readdir(folder)).toEqual(['a.png']);
  });

  it('stops at once when aborted, and leaves nothing behind', async () => {
    const result = await resultWith(4);
    const begun = new Promise<void>((resolve) => {
      replies = [(response) => response.writeHead(200).write(DATA.subarray(0, 1_000_000), () => resolve())];
    });
    const abort = new AbortController();
    const reason = new Error('no longer wanted');
    const failed = result
      .save(join(folder, 'a.png'), { signal: abort.signal })
      .catch((error: unknown) => error);
    await begun;
    await new Promise((done) => setTimeout(done, 50));
    abort.abort(reason);
    expect(await failed).toMatchObject({ name: 'AbortedError', cause: reason });
    expect(await readdir(folder)).toEqual([]);
  });
});
