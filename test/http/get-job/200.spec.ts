import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const get = async (id: string) => {
  const { status, body } = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
  expect(status).toBe(200);
  return body as Record<string, unknown>;
};
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('GET /api/ai/enhance/:id → 200', () => {
  it('goes from queued to processing to completed', async () => {
    const { id } = await harness.newJob(account, { metadata: { order: '7' } });
    expect(await get(id)).toMatchObject({ status: 'queued', progress: 0, attempts: 0, startedAt: null });
    const lease = await harness.jobs.claim(id);
    await harness.jobs.progress(lease, 0.25);
    const processing = await get(id);
    expect(processing).toMatchObject({
      status: 'processing',
      progress: 0.25,
      attempts: 1,
      completedAt: null,
    });
    expect(processing['startedAt']).toMatch(TIME);
    expect(processing).not.toHaveProperty('resultUrl');
    expect(processing).not.toHaveProperty('result');
    const bytes = Buffer.from('these are the pixels');
    await harness.jobs.completeLease(lease, bytes, 3_600);
    const completed = await get(id);
    expect(completed).toMatchObject({
      id,
      status: 'completed',
      error: null,
      progress: 1,
      attempts: 1,
      device: 'cpu',
      precision: 'float32',
      model: { name: 'test', version: 1, sha256: 'ab'.repeat(32) },
      metadata: { order: '7' },
      result: {
        format: 'png',
        width: 96,
        height: 64,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      },
      timings: { decodeMs: 1, inferenceMs: 2, encodeMs: 3 },
    });
    const { queuedMs, totalMs } = completed['timings'] as { queuedMs: number; totalMs: number };
    expect(totalMs).toBeGreaterThanOrEqual(queuedMs);
    expect(completed['completedAt']).toMatch(TIME);
    const { expiresAt } = completed['result'] as { expiresAt: string };
    const keptMs = Date.parse(expiresAt) - Date.parse(completed['completedAt'] as string);
    expect(Math.abs(keptMs - 3_600_000)).toBeLessThan(60_000);
    expect(completed['resultUrl']).toMatch(
      new RegExp(`^${PUBLIC_URL}/files/${id}\\.png\\?exp=\\d+&sig=\\w+$`),
    );
  });

  it('says why a job failed', async () => {
    const plain = await harness.newJob(account);
    await harness.jobs.fail(plain.id, 'processing_failed');
    expect(await get(plain.id)).toMatchObject({
      status: 'failed',
      error: { code: 'processing_failed', retryable: true, message: expect.stringMatching(/\w/) as unknown },
    });
    const named = await harness.newJob(account);
    await harness.jobs.fail(named.id, 'undecodable_image', 'The third scan is missing.');
    const failed = await get(named.id);
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'undecodable_image', retryable: false, message: 'The third scan is missing.' },
      completedAt: expect.stringMatching(TIME) as unknown,
    });
    expect(failed).not.toHaveProperty('resultUrl');
    expect(failed).not.toHaveProperty('result');
  });

  it('returns to queued when a worker releases the job', async () => {
    const { id } = await harness.newJob(account);
    await harness.jobs.release(await harness.jobs.claim(id));
    expect(await get(id)).toMatchObject({ status: 'queued', progress: 0 });
  });

  it('writes the events of finished jobs with their aliases', async () => {
    const own = await harness.createAccount();
    await harness.listen(own);
    const { url } = await harness.newSource(own);
    const [done, failed] = [
      await harness.newJob(own, { sourceUrl: url }),
      await harness.newJob(own, { sourceUrl: url }),
    ];
    await harness.jobs.complete(done.id);
    await harness.jobs.fail(failed.id);
    expect((await harness.eventTypes(own)).slice(4)).toEqual([
      'enhancement.completed',
      'job.completed',
      'image.completed',
      'enhancement.failed',
    ]);
    const rows = await harness.rows<{ data: { job: { id: string; status: string } } }>(
      "SELECT data FROM events WHERE account_id = $1 AND type LIKE '%.completed' ORDER BY id",
      [own.id],
    );
    for (const { data } of rows) expect(data.job).toMatchObject({ id: done.id, status: 'completed' });
  });

  it('can be read by every key of the account', async () => {
    const { id } = await harness.newJob(account);
    const second = await harness.createKey(account, { scopes: ['image:read'] });
    expect((await harness.call('GET', `/api/ai/enhance/${id}`, { key: second.key })).status).toBe(200);
  });

  it('still returns a job whose source was deleted', async () => {
    const source = await harness.newSource(account);
    const { id } = await harness.newJob(account, { sourceUrl: source.url });
    await harness.jobs.complete(id);
    await harness.call('DELETE', `/api/ai/sources/${source.id}`, { key: account.key });
    expect(await get(id)).toMatchObject({ status: 'completed' });
  });
});
