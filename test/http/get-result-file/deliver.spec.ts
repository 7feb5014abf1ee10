import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import { JobsRepository } from '../../../src/jobs/jobs.repository.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { RawRequest } from '../../support/app/raw-request.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const BYTES = Buffer.alloc(4_000_000, 7);

async function deliverable(bytes = BYTES) {
  const source = await harness.newSource(account);
  const { id } = await harness.newJob(account, { sourceUrl: source.url, retention: 'deliver' });
  await harness.jobs.complete(id, bytes);
  const job = (await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key })).body as JobDto;
  return { id, source, path: job.resultUrl!.replace(PUBLIC_URL, '') };
}

const erased = async (id: string) =>
  (await harness.rows<{ at: Date | null }>('SELECT result_erased_at AS at FROM jobs WHERE id = $1', [id]))[0]!
    .at !== null;
const deliveredBytes = async (id: string) =>
  (await harness.rows<{ n: string | null }>('SELECT delivered_bytes AS n FROM jobs WHERE id = $1', [id]))[0]!
    .n;
const isErased = (id: string) => expect.poll(() => erased(id), { timeout: 20_000 }).toBe(true);

describe('GET /files/job_… of a job with retention "deliver"', () => {
  it('erases the result and the source after the first complete download', async () => {
    const { id, path, source } = await deliverable();
    const { body, headers } = await harness.call('GET', path);
    expect(Buffer.compare(body as Buffer, BYTES)).toBe(0);
    // The cache of a browser would keep it.
    expect(headers['cache-control']).toBe('no-store');
    await isErased(id);
    expect((await harness.call('GET', path)).status).toBe(410);
    const read = await harness.call('GET', `/api/ai/sources/${source.id}`, { key: account.key });
    expect(read.status).toBe(410);
    const left = async (): Promise<object[]> =>
      harness.rows("SELECT 1 FROM object_erasures WHERE object_key LIKE '%' || $1 || '%'", [source.id]);
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  });

  it('keeps the source while another job needs it', async () => {
    const { id, path, source } = await deliverable();
    await harness.newJob(account, { sourceUrl: source.url });
    await harness.call('GET', path);
    await isErased(id);
    const read = await harness.call('GET', `/api/ai/sources/${source.id}`, { key: account.key });
    expect(read.status).toBe(200);
  });

  it('counts the ranges of a resumed download, but not a single range, HEAD, or 304', async () => {
    const { id, path } = await deliverable();
    const noted = vi.spyOn(harness.app.get(JobsRepository), 'noteDelivered');
    onTestFinished(() => noted.mockRestore());
    const first = await harness.call('HEAD', path);
    await harness.call('GET', path, { headers: { 'if-none-match': first.headers['etag']! } });
    const last = await harness.call('GET', path, { headers: { range: 'bytes=2000000-' } });
    expect(last.status).toBe(206);
    // Ranges are recorded after their responses; without this wait, the first range could be recorded first.
    await expect.poll(() => noted.mock.settledResults).toEqual([{ type: 'fulfilled', value: false }]);
    await harness.call('GET', path, { headers: { range: 'bytes=0-1999999' } });
    await expect.poll(() => deliveredBytes(id), { timeout: 20_000 }).toBe('2000000');
    expect(await erased(id)).toBe(false);
    await harness.call('GET', path, { headers: { range: 'bytes=2000000-' } });
    await isErased(id);
  });

  it('does not count an aborted download', async () => {
    const { id, path } = await deliverable(Buffer.alloc(30_000_000, 1));
    const asked = request(`${harness.url}${path}`);
    asked.end();
    const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
    await once(answer, 'data');
    asked.destroy();
    await expect.poll(() => deliveredBytes(id), { timeout: 20_000 }).not.toBeNull();
    expect(await erased(id)).toBe(false);
    expect((await harness.call('HEAD', path)).status).toBe(200);
  });

  it('does not count bytes that the connection still holds when the reader resets it', async () => {
    const { id, path } = await deliverable(Buffer.alloc(40_000, 1));
    const noted = vi.spyOn(harness.app.get(JobsRepository), 'noteDelivered');
    onTestFinished(() => noted.mockRestore());
    const server = harness.app.getHttpServer();
    const [[, response], reader] = await Promise.all([
      once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>,
      RawRequest.open(harness.url, `GET ${path}`, {}),
    ]);
    // As when a reader stops reading and the buffers of the system are full.
    response.socket!.cork();
    await expect.poll(() => response.writableLength, { timeout: 20_000 }).toBeGreaterThan(40_000);
    reader.abort();
    await expect
      .poll(() => noted.mock.settledResults, { timeout: 20_000 })
      .toEqual([{ type: 'fulfilled', value: false }]);
    expect(await deliveredBytes(id)).toBe('0');
    expect((await harness.call('HEAD', path)).status).toBe(200);
  });

  it('closes the connection of a reader that stops reading, and does not count its download', async () => {
    const { id, path } = await deliverable(Buffer.alloc(30_000_000, 1));
    const server = harness.app.getHttpServer();
    const { timeout } = server;
    onTestFinished(() => void (server.timeout = timeout));
    server.timeout = 200;
    const asked = request(`${harness.url}${path}`, { agent: false });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    await expect.poll(() => deliveredBytes(id), { timeout: 20_000 }).not.toBeNull();
    expect(await erased(id)).toBe(false);
    answer.resume();
    await expect(once(answer, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(timeout).toBe(120_000);
  });
});
