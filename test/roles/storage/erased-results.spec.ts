import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { JobsRepository } from '../../../src/jobs/jobs.repository.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { jobSweepsOf } from '../../support/dispatcher/job-sweeps.js';

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

describe('the source of a job with retention "deliver" that did not complete', () => {
  let harness: Harness;
  let account: TestAccount;

  beforeAll(async () => {
    harness = await startHarness();
    account = await harness.createAccount();
  });
  afterAll(() => harness?.close());

  const statusOf = async (sourceId: string): Promise<number> =>
    (await harness.call('GET', `/api/ai/sources/${sourceId}`, { key: account.key })).status;
  const sweep = () => jobSweepsOf(harness).sweep();
  const expire = (ids: readonly string[]) =>
    harness.rows(
      `UPDATE jobs SET result_expires_at = result_expires_at - interval '1 hour' WHERE id = ANY ($1)`,
      [ids],
    );

  const ENDS: [string, (id: string) => Promise<unknown>][] = [
    ['failed', (id) => harness.jobs.fail(id, 'no_subject_found')],
    ['was canceled', (id) => harness.call('POST', `/api/ai/enhance/${id}/cancel`, { key: account.key })],
  ];

  it.each(ENDS)('is erased when the result would have expired if the job %s', async (_, end) => {
    const source = await harness.newSource(account);
    const terms = { sourceUrl: source.url, retention: 'deliver' };
    const [asked, usual] = [
      await harness.newJob(account, { ...terms, expiresIn: 3_600 }),
      await harness.newJob(account, terms),
    ];
    await end(asked.id);
    await end(usual.id);
    const days = await harness.rows<{ seconds: number }>(
      `SELECT extract(epoch FROM result_expires_at - completed_at)::int AS seconds FROM jobs
        WHERE id = ANY ($1) ORDER BY seconds`,
      [[asked.id, usual.id]],
    );
    expect(days.map(({ seconds }) => seconds)).toEqual([3_600, 30 * 86_400]);
    await sweep();
    expect(await statusOf(source.id)).toBe(200);
    await expire([asked.id]);
    await sweep();
    expect(await statusOf(source.id)).toBe(410);
    const { objects, storageBytes } = await harness.footprint();
    expect({ objects, storageBytes }).toEqual({ objects: 0, storageBytes: 0 });
    expect(await harness.app.get(JobsRepository).expiredResults(10)).toEqual([]);
  });

  it('is erased when the result would have expired if its batch was canceled', async () => {
    const source = await harness.newSource(account);
    const { body } = await harness.createBatch(account.key, {
      sourceUrls: [source.url],
      operation: 'upscale',
      retention: 'deliver',
      expiresIn: 3_600,
    });
    const batchId = body['id'] as string;
    await harness.call('POST', `/api/ai/batches/${batchId}/cancel`, { key: account.key });
    await expire(await harness.batchJobs(batchId));
    await sweep();
    expect(await statusOf(source.id)).toBe(410);
  });

  it('stays without the retention', async () => {
    const source = await harness.newSource(account);
    const { id } = await harness.newJob(account, { sourceUrl: source.url, expiresIn: 3_600 });
    await harness.jobs.fail(id);
    await harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
    await sweep();
    expect(await statusOf(source.id)).toBe(200);
    expect(await harness.rows('SELECT result_expires_at AS at FROM jobs WHERE id = $1', [id])).toEqual([
      { at: null },
    ]);
  });
});
