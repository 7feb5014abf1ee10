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

const cancel = (id: string) => harness.call('POST', `/api/ai/batches/${id}/cancel`, { key: account.key });
const usedOf = async (): Promise<unknown> => {
  const { body } = await harness.call('GET', '/api/usage', { key: account.key });
  return (body as { enhancements: { used: number } }).enhancements.used;
};

describe('POST /api/ai/batches/:id/cancel → 200', () => {
  it('cancels unfinished items, refunds them, and sends an event for each job and for the batch', async () => {
    const before = (await usedOf()) as number;
    const { id } = await harness.newBatch(account, { sourceUrls: Array.from({ length: 6 }, () => url) });
    const jobs = await harness.batchJobs(id);
    await harness.jobs.complete(jobs[0]!);
    const lease = await harness.jobs.claim(jobs[1]!);
    const { status, body } = await cancel(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'canceled',
      counts: { total: 6, queued: 0, processing: 0, completed: 1, failed: 0, canceled: 5 },
      percent: 100,
    });
    expect(await usedOf()).toBe(before + 1);
    expect(await harness.jobs.completeLease(lease, Buffer.from('too late'))).toBe(false);
    const events = await harness.rows<{ type: string; count: number }>(
      `SELECT type, count(*)::int AS count FROM events
        WHERE coalesce(data->'job'->>'batchId', data->'batch'->>'id') = $1 GROUP BY type ORDER BY type`,
      [id],
    );
    expect(events.map(({ type, count }) => `${type} ${count}`)).toEqual([
      'batch.completed 1',
      'enhancement.completed 1',
      'enhancement.failed 5',
      'enhancement.queued 6',
      'image.completed 1',
      'job.completed 1',
    ]);
    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'batch_already_finished' } });
  });

  it('keeps exact counts when ten cancellations race with workers that complete jobs', async () => {
    const before = (await usedOf()) as number;
    const { id } = await harness.newBatch(account, { sourceUrls: Array.from({ length: 60 }, () => url) });
    const jobs = await harness.batchJobs(id);
    const leases = await Promise.all(jobs.slice(0, 20).map((job) => harness.jobs.claim(job)));
    const [completed, ...answers] = await Promise.all([
      Promise.all(leases.map((lease) => harness.jobs.completeLease(lease, Buffer.from('x')))),
      ...Array.from({ length: 10 }, () => cancel(id)),
    ]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const done = completed.filter(Boolean).length;
    const { body } = await harness.call('GET', `/api/ai/batches/${id}`, { key: account.key });
    expect(body).toMatchObject({ counts: { total: 60, completed: done, failed: 0, canceled: 60 - done } });
    expect(await usedOf()).toBe(before + done);
    const ended = await harness.rows(
      "SELECT 1 FROM events WHERE type = 'batch.completed' AND data->'batch'->>'id' = $1",
      [id],
    );
    expect(ended).toHaveLength(1);
  });
});
