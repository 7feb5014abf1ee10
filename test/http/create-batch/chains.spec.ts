import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../support/app/harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const OPERATIONS = [
  { operation: 'smooth_skin', level: 'low' },
  { operation: 'upscale', level: 'high' },
  { operation: 'auto_enhance', strength: 0.4 },
];

async function newBatch(enhancements: number, json: object = {}) {
  const account = await harness.createAccount({ limits: { enhancements } });
  const { url } = await harness.newSource(account);
  const answer = await harness.createBatch(account.key, {
    sourceUrls: [url, url, url],
    operations: OPERATIONS,
    ...json,
  });
  const used = async (): Promise<number> => {
    const { body } = await harness.call('GET', '/api/usage', { key: account.key });
    return (body as { enhancements: { used: number } }).enhancements.used;
  };
  return { account, answer, used };
}

describe('POST /api/ai/batches with operations', () => {
  it('charges every operation of every item, and refunds all operations of a failed item', async () => {
    const { account, answer, used } = await newBatch(9);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({ operation: 'smooth_skin', level: 'low', counts: { total: 3 } });
    expect(await used()).toBe(9);
    const id = answer.body['id'] as string;
    const jobs = await harness.batchJobs(id);
    const read = await harness.call('GET', `/api/ai/enhance/${jobs[0]!}`, { key: account.key });
    expect(read.body).toMatchObject({ batchId: id, batchIndex: 0, operations: OPERATIONS });
    await harness.jobs.fail(jobs[1]!);
    expect(await used()).toBe(6);
    const retried = await harness.call('POST', `/api/ai/batches/${id}/retry`, { key: account.key });
    expect(retried.status, retried.text).toBe(200);
    expect(await used()).toBe(9);
    for (const job of await harness.batchJobs(id)) await harness.jobs.complete(job);
    const ended = await harness.call('GET', `/api/ai/batches/${id}`, { key: account.key });
    expect(ended.body).toMatchObject({ status: 'completed', counts: { completed: 3, failed: 0 } });
    expect(await used()).toBe(9);
  });

  it('reports how many enhancements are needed and how many are left', async () => {
    const { answer } = await newBatch(8);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: 'quota_exceeded', needed: 9, remaining: 8 });
    expect((answer.body as { detail: string }).detail).toContain(
      'This request needs 9, and the account has 8 left.',
    );
  });

  it('creates as many complete items as the quota allows', async () => {
    const { answer, used } = await newBatch(8, { onQuota: 'partial' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ counts: { total: 2 }, skipped: [{ index: 2 }] });
    expect(await used()).toBe(6);
  });

  it('names the item and the operation that do not fit', async () => {
    const operations = [{ operation: 'upscale' }, { operation: 'upscale', width: 100_000 }];
    const { answer } = await newBatch(100, { operations });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ errors: [{ field: 'sourceUrls.0', code: 'range' }, {}, {}] });
    expect((answer.body as { detail: string }).detail).toContain('operations.1.width');
  });
});
