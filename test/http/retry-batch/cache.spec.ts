import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ABANDONED_COPIES } from '../../../src/dispatcher/retention/abandoned-copies.sql.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { AppError } from '../../../src/kernel/app-error.js';
import { AvailableOperations } from '../../../src/models/serving/available-operations.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  await harness.listen(account);
});
afterAll(() => harness.close());

const retry = (id: string) => harness.call('POST', `/api/ai/batches/${id}/retry`, { key: account.key });

/** A batch with `cache` whose items failed, and a later job for the same source that succeeded. */
async function failedBatch(items: number): Promise<string> {
  // A unique picture, so that no other cached result matches.
  const { url } = await harness.newSource(account, await photo(30 + (sizes += 1), 20, 'jpeg'));
  const { id } = await harness.newBatch(account, {
    sourceUrls: Array.from({ length: items }, () => url),
    cache: true,
  });
  for (const job of await harness.batchJobs(id)) await harness.jobs.fail(job);
  const single = await harness.newJob(account, { sourceUrl: url, operation: 'upscale' });
  await harness.jobs.complete(single.id);
  const { model } = harness.app
    .get(AvailableOperations)
    .operations()
    .find(({ operation }) => operation === 'upscale')!;
  await harness.rows('UPDATE jobs SET model = $2::jsonb WHERE id = $1', [single.id, JSON.stringify(model)]);
  return id;
}
let sizes = 0;

describe('POST /api/ai/batches/:id/retry with cache', () => {
  it('completes failed items with results that exist by now', async () => {
    const id = await failedBatch(2);
    const { status, body } = await retry(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'completed', counts: { total: 2, completed: 2, failed: 0 } });
    expect(await harness.rows('SELECT 1 FROM result_copies')).toEqual([]);
  });

  it('keeps the copies of only one of ten concurrent retries', async () => {
    const id = await failedBatch(3);
    const before = await harness.footprint();
    const answers = await Promise.all(Array.from({ length: 10 }, () => retry(id)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    const after = await harness.footprint();
    expect(after.jobs).toBe(before.jobs + 3);
    expect(after.objects).toBe(before.objects + 3);
    expect(await harness.rows('SELECT 1 FROM result_copies')).toEqual([]);
  });

  it('records no object of an item that is enhanced again, and refuses one that is being erased', async () => {
    const id = await failedBatch(2);
    const store = harness.app.get(ObjectStore);
    const copying = vi.spyOn(store, 'copy');
    onTestFinished(() => copying.mockRestore());
    copying.mockImplementation(async () => {
      // Simulates a copy that takes an hour: the dispatcher then treats it as left behind by a killed process.
      await harness.rows(`UPDATE result_copies SET created_at = now() - interval '61 minutes'`);
      await harness.rows(ABANDONED_COPIES.text);
      throw new AppError('gone');
    });
    expect((await retry(id)).body).toMatchObject({ code: 'service_unavailable' });
    copying.mockRejectedValue(new AppError('gone'));
    expect((await retry(id)).body).toMatchObject({ counts: { total: 2, queued: 2 } });
    expect(await harness.rows('SELECT 1 FROM result_copies')).toEqual([]);
  });
});
