import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BatchEndingsRepository } from '../../../src/jobs/batches/batch-endings.repository.js';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import type { Answer } from '../../support/app/api-client.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
let url: string;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  await harness.listen(account);
  ({ url } = await harness.newSource(account));
});
afterAll(() => harness.close());

const retry = (id: string, json?: object, headers: Readonly<Record<string, string>> = {}) =>
  harness.call('POST', `/api/ai/batches/${id}/retry`, { key: account.key, ...(json && { json }), headers });
const get = async (id: string) =>
  (await harness.call('GET', `/api/ai/batches/${id}`, { key: account.key })).body;

/** A batch with one completed, two failed, and one canceled item, in this order. */
async function endedBatch(sourceUrls = [url, url, url, url]): Promise<{ id: string; jobs: string[] }> {
  const { id } = await harness.newBatch(account, { sourceUrls, level: 'high', metadata: { order: '1' } });
  const jobs = await harness.batchJobs(id);
  await harness.jobs.complete(jobs[0]!);
  await harness.jobs.fail(jobs[1]!);
  await harness.jobs.fail(jobs[2]!);
  await harness.call('POST', `/api/ai/enhance/${jobs[3]!}/cancel`, { key: account.key });
  return { id, jobs };
}

describe('POST /api/ai/batches/:id/retry → 200', () => {
  it('finds the background and the mask after PUBLIC_URL has changed', async () => {
    const { url: picture } = await harness.newSource(account, await photo(48, 32, 'png'));
    const { id } = await harness.newBatch(account, {
      sourceUrls: [url],
      operation: 'bg_remove',
      mask: { sourceUrl: picture },
      output: { background: { sourceUrl: picture } },
    });
    const [job] = await harness.batchJobs(id);
    await harness.jobs.fail(job!);
    await harness.rows(
      `UPDATE batches SET request = replace(request::text, $2, 'http://earlier.example')::jsonb WHERE id = $1`,
      [id, PUBLIC_URL],
    );
    expect(await retry(id)).toMatchObject({ status: 200, body: { counts: { total: 1, queued: 1 } } });
  });

  it('creates new jobs for the failed items, charges them, and completes the batch again', async () => {
    const { id, jobs } = await endedBatch();
    const before = await harness.footprint();
    const { status, body } = await retry(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      status: 'processing',
      counts: { total: 4, queued: 2, completed: 1, failed: 0, canceled: 1 },
      completedAt: null,
      skipped: [],
    });
    expect(await harness.footprint()).toMatchObject({
      jobs: before.jobs + 2,
      enhancementsUsed: before.enhancementsUsed + 2,
      ledger: before.ledger + 2,
    });
    const now = await harness.batchJobs(id);
    expect([now[0], now[3]]).toEqual([jobs[0], jobs[3]]);
    expect(now[1]).not.toBe(jobs[1]);
    const read = await harness.call('GET', `/api/ai/enhance/${now[1]!}`, { key: account.key });
    expect(read.body).toMatchObject({ level: 'high', metadata: { order: '1' }, batchId: id, batchIndex: 1 });
    await harness.jobs.complete(now[1]!);
    await harness.jobs.fail(now[2]!);
    expect(await get(id)).toMatchObject({
      status: 'completed',
      counts: { total: 4, completed: 2, failed: 1, canceled: 1 },
      failures: [{ index: 2, jobId: now[2] }],
    });
    const ended = await harness.rows(
      "SELECT 1 FROM events WHERE type = 'batch.completed' AND data->'batch'->>'id' = $1",
      [id],
    );
    expect(ended).toHaveLength(2);
  });

  it('keeps results no longer than the plan allows now', async () => {
    const { id } = await harness.newBatch(account, { sourceUrls: [url], expiresIn: 600 });
    await harness.jobs.fail((await harness.batchJobs(id))[0]!);
    const years = 20 * 366 * 86_400;
    await harness.rows(
      `UPDATE batches SET request = jsonb_set(request, '{expiresIn}', to_jsonb($2::int)) WHERE id = $1`,
      [id, years],
    );
    expect((await retry(id)).status).toBe(200);
    const [job] = await harness.batchJobs(id);
    expect(await harness.rows('SELECT expires_in AS "expiresIn" FROM jobs WHERE id = $1', [job])).toEqual([
      { expiresIn: 30 * 86_400 },
    ]);
  });

  it('includes canceled items on request', async () => {
    const { id } = await endedBatch();
    const { body } = await retry(id, { includeCanceled: true });
    expect(body).toMatchObject({ counts: { queued: 3, completed: 1, failed: 0, canceled: 0 } });
  });

  it('retries each item once, even for concurrent requests', async () => {
    const { id } = await endedBatch();
    const answers = await Promise.all(Array.from({ length: 8 }, () => retry(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(await get(id)).toMatchObject({ counts: { total: 4, queued: 2, completed: 1, canceled: 1 } });
  });

  it('returns the first response again for the same Idempotency-Key', async () => {
    const { id } = await endedBatch();
    const headers = { 'Idempotency-Key': `retry-${id}` };
    const first = await retry(id, {}, headers);
    const second = await retry(id, {}, headers);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('returns the first response also when that request ends in between', async () => {
    const { id } = await endedBatch();
    const headers = { 'Idempotency-Key': `retry-race-${id}` };
    const endings = harness.app.get(BatchEndingsRepository);
    const retryable = endings.retryable.bind(endings);
    const answers: Promise<Answer>[] = [];
    const spy = vi.spyOn(endings, 'retryable').mockImplementationOnce(async (...args) => {
      answers.push(retry(id, {}, headers));
      await Promise.all(answers);
      return retryable(...args);
    });
    onTestFinished(() => spy.mockRestore());
    const second = await retry(id, {}, headers);
    const [first] = await Promise.all(answers);
    expect([first!.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first!.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('skips an item whose source was deleted', async () => {
    const gone = await harness.newSource(account);
    const { id, jobs } = await endedBatch([url, gone.url, url, url]);
    await harness.call('DELETE', `/api/ai/sources/${gone.id}`, { key: account.key });
    const { status, body } = await retry(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      counts: { queued: 1, failed: 1 },
      skipped: [{ index: 1, sourceUrl: expect.stringContaining(gone.id) as unknown, reason: 'gone' }],
    });
    expect((await harness.batchJobs(id))[1]).toBe(jobs[1]);
  });

  it('finds the source with retention "deliver" until the failed item expires, whatever other jobs do', async () => {
    const source = await harness.newSource(account);
    const { id } = await harness.newBatch(account, {
      sourceUrls: [source.url, source.url],
      retention: 'deliver',
    });
    const completion = harness.app.get(JobCompletion);
    const expire = async (job: string) => {
      await harness.rows('UPDATE jobs SET result_expires_at = now() WHERE id = $1', [job]);
      await completion.eraseResult(job);
    };
    const sourceStatus = async () =>
      (await harness.call('GET', `/api/ai/sources/${source.id}`, { key: account.key })).status;
    const [completed, failed] = await harness.batchJobs(id);
    await harness.jobs.fail(failed!);
    await harness.jobs.complete(completed!);
    await expire(completed!);
    expect(await retry(id)).toMatchObject({ status: 200, body: { counts: { queued: 1 }, skipped: [] } });
    const second = (await harness.batchJobs(id))[1]!;
    await harness.jobs.fail(second);
    // The first attempt, which the second one has replaced.
    await expire(failed!);
    expect(await retry(id)).toMatchObject({ status: 200, body: { counts: { queued: 1 }, skipped: [] } });
    const third = (await harness.batchJobs(id))[1]!;
    await harness.jobs.fail(third);
    await expire(second);
    expect(await sourceStatus()).toBe(200);
    await expire(third);
    expect(await sourceStatus()).toBe(410);
  });

  it('with onQuota=partial, retries as many items as the quota allows', async () => {
    const own = await harness.createAccount({ limits: { enhancements: 3 } });
    const source = await harness.newSource(own);
    const { id } = await harness.newBatch(own, { sourceUrls: [source.url, source.url, source.url] });
    for (const job of await harness.batchJobs(id)) await harness.jobs.fail(job);
    await harness.newJob(own, { sourceUrl: source.url });
    const call = (json: object) =>
      harness.call('POST', `/api/ai/batches/${id}/retry`, { key: own.key, json });
    expect(await call({})).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } });
    expect((await call({ onQuota: 'partial' })).body).toMatchObject({
      counts: { queued: 2, failed: 1 },
      skipped: [{ index: 2, reason: 'quota_exceeded' }],
    });
  });
});
