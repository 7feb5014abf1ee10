import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

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

const get = async (id: string) =>
  (await harness.call('GET', `/api/ai/batches/${id}`, { key: account.key })).body;
const batchOf = async (count: number): Promise<{ id: string; jobs: string[] }> => {
  const { id } = await harness.newBatch(account, { sourceUrls: Array.from({ length: count }, () => url) });
  return { id, jobs: await harness.batchJobs(id) };
};
const ended = (batchId: string) =>
  harness.rows<{ data: { batch: object } }>(
    "SELECT data FROM events WHERE type = 'batch.completed' AND data->'batch'->>'id' = $1",
    [batchId],
  );

describe('GET /api/ai/batches/:id → 200', () => {
  it('tracks its jobs to the end, names its failures, and sends batch.completed once', async () => {
    const { id, jobs } = await batchOf(4);
    const lease = await harness.jobs.claim(jobs[0]!);
    expect(await get(id)).toMatchObject({
      status: 'processing',
      counts: { queued: 3, processing: 1 },
      percent: 0,
      failures: [],
    });
    await harness.jobs.release(lease);
    expect(await get(id)).toMatchObject({ status: 'queued', counts: { queued: 4, processing: 0 } });
    await harness.jobs.complete(jobs[0]!);
    await harness.jobs.fail(jobs[1]!, 'undecodable_image');
    await harness.call('POST', `/api/ai/enhance/${jobs[2]!}/cancel`, { key: account.key });
    expect(await ended(id)).toEqual([]);
    await harness.jobs.fail(jobs[3]!, 'no_subject_found');
    const batch = await get(id);
    expect(batch).toMatchObject({
      status: 'completed',
      counts: { total: 4, queued: 0, processing: 0, completed: 1, failed: 2, canceled: 1 },
      percent: 100,
      completedAt: expect.stringMatching(/Z$/) as unknown,
      failures: [
        { index: 1, jobId: jobs[1], error: { code: 'undecodable_image' } },
        { index: 3, jobId: jobs[3], error: { code: 'no_subject_found' } },
      ],
    });
    const { failures: _failures, ...told } = batch as { failures: unknown };
    expect((await ended(id)).map(({ data }) => data.batch)).toEqual([told]);
    const failed = await harness.rows<{ data: { job: { id: string; batchIndex: number } } }>(
      "SELECT data FROM events WHERE type = 'batch.item.failed' AND data->'job'->>'batchId' = $1 ORDER BY id",
      [id],
    );
    expect(failed.map(({ data }) => [data.job.id, data.job.batchIndex])).toEqual([
      [jobs[1], 1],
      [jobs[3], 3],
    ]);
  });

  it('counts exactly and ends once when all items end at the same time', async () => {
    const { id, jobs } = await batchOf(40);
    await Promise.all(
      jobs.map((job, index) => (index % 4 === 0 ? harness.jobs.fail(job) : harness.jobs.complete(job))),
    );
    expect(await get(id)).toMatchObject({
      status: 'completed',
      counts: { total: 40, queued: 0, processing: 0, completed: 30, failed: 10, canceled: 0 },
    });
    expect(await ended(id)).toHaveLength(1);
  });

  it('keeps its counts when its jobs are deleted', async () => {
    const { id, jobs } = await batchOf(2);
    await harness.jobs.complete(jobs[0]!);
    for (const job of jobs) await harness.call('DELETE', `/api/ai/enhance/${job}`, { key: account.key });
    expect(await get(id)).toMatchObject({ counts: { total: 2, completed: 1, canceled: 1 }, failures: [] });
    await harness.rows('DELETE FROM jobs WHERE batch_id = $1', [id]);
    expect(await get(id)).toMatchObject({ status: 'completed', counts: { completed: 1, canceled: 1 } });
  });
});
