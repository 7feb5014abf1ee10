import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { JobsRepository } from '../../../src/jobs/jobs.repository.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

describe('results to erase', () => {
  let harness: Harness;
  let account: TestAccount;

  beforeAll(async () => {
    harness = await startHarness();
    account = await harness.createAccount();
  });
  afterAll(() => harness?.close());

  it('include those whose job was deleted without them', async () => {
    const [deleted, kept] = [await harness.newJob(account), await harness.newJob(account)];
    for (const { id } of [deleted, kept]) await harness.jobs.complete(id);
    await harness.rows('UPDATE jobs SET deleted_at = now() WHERE id = $1', [deleted.id]);
    expect(await harness.app.get(JobsRepository).expiredResults(10)).toEqual([deleted.id]);
  });

  it('are marked and freed when their job is deleted', async () => {
    const { id } = await harness.newJob(account);
    const before = await harness.footprint();
    await harness.jobs.complete(id, Buffer.alloc(1_234));
    await harness.app.get(JobCompletion).delete(account.id, id);
    const [job] = await harness.rows<{ deleted: Date; erased: Date }>(
      'SELECT deleted_at AS deleted, result_erased_at AS erased FROM jobs WHERE id = $1',
      [id],
    );
    // now() is the start of the transaction, so equal times mean the same transaction.
    expect(job?.erased).toEqual(job?.deleted);
    const { storageBytes, objects } = await harness.footprint();
    expect({ storageBytes, objects }).toEqual({
      storageBytes: before.storageBytes,
      objects: before.objects,
    });
  });
});
