import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
let id: string;
let jobs: string[];
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  const { url } = await harness.newSource(account);
  ({ id } = await harness.newBatch(account, { sourceUrls: Array.from({ length: 5 }, () => url) }));
  jobs = await harness.batchJobs(id);
  await harness.jobs.complete(jobs[0]!);
  await harness.jobs.fail(jobs[1]!);
  await harness.jobs.fail(jobs[3]!);
  await harness.newJob(account, { sourceUrl: url });
});
afterAll(() => harness.close());

const read = async (path: string) => {
  const { status, body } = await harness.call('GET', path, { key: account.key });
  expect(status).toBe(200);
  return body as { data: { id: string; batchIndex: number }[]; hasMore: boolean; nextCursor: string };
};
const idsOf = ({ data }: { data: { id: string }[] }): string[] => data.map((job) => job.id);

describe('GET /api/ai/batches/:id/jobs → 200', () => {
  it('pages through the items in the order of the request', async () => {
    const first = await read(`/api/ai/batches/${id}/jobs?limit=3`);
    expect(first.data.map(({ batchIndex }) => batchIndex)).toEqual([0, 1, 2]);
    const second = await read(`/api/ai/batches/${id}/jobs?limit=3&cursor=${first.nextCursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(jobs);
    expect(second).toMatchObject({ hasMore: false, nextCursor: null });
  });

  it('filters by status', async () => {
    expect(idsOf(await read(`/api/ai/batches/${id}/jobs?status=failed`))).toEqual([jobs[1], jobs[3]]);
    const page = await read(`/api/ai/batches/${id}/jobs?status=failed&limit=1`);
    expect(idsOf(await read(`/api/ai/batches/${id}/jobs?status=failed&cursor=${page.nextCursor}`))).toEqual([
      jobs[3],
    ]);
  });

  it('the list of all jobs also filters by batch, newest first', async () => {
    expect(idsOf(await read(`/api/ai/enhance?batchId=${id}`))).toEqual(jobs.toReversed());
    const page = await read(`/api/ai/enhance?batchId=${id}&limit=2`);
    const rest = await read(`/api/ai/enhance?batchId=${id}&status=queued&cursor=${page.nextCursor}`);
    expect(idsOf(rest)).toEqual([jobs[2]]);
    const stranger = await harness.createAccount();
    const theirs = await harness.call('GET', `/api/ai/enhance?batchId=${id}`, { key: stranger.key });
    expect(theirs.body).toMatchObject({ data: [] });
  });
});
