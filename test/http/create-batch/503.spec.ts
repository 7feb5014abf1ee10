import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AvailableOperations } from '../../../src/models/serving/available-operations.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({
    env: { QUEUE_MAX_PIXELS: '35000' },
  });
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('POST /api/ai/batches → 503', () => {
  it('releases the queue capacity that a refused batch had reserved', async () => {
    const own = await harness.createAccount({ limits: { enhancements: 1 } });
    const { url } = await harness.newSource(own, await photo(100, 100, 'jpeg'));
    const sourceUrls = [url, url, url];
    for (const _ of [1, 2])
      expect((await harness.createBatch(own.key, { sourceUrls, operation: 'upscale' })).status).toBe(403);
    expect((await harness.createJob(own.key, { sourceUrl: url, operation: 'upscale' })).status).toBe(201);
  });

  it('releases the queue capacity of a batch that could not be written', async () => {
    const own = await harness.createAccount();
    const { url } = await harness.newSource(own, await photo(100, 100, 'jpeg'));
    const sourceUrls = [url, url];
    await harness.rows('ALTER TABLE batches ADD CONSTRAINT refused CHECK (total < 0) NOT VALID');
    for (const _ of [1, 2, 3])
      expect((await harness.createBatch(own.key, { sourceUrls, operation: 'upscale' })).status).toBe(500);
    await harness.rows('ALTER TABLE batches DROP CONSTRAINT refused');
  });

  it('keeps no capacity for a dry run that finds no room for the copies of cached results', async () => {
    const own = await harness.createAccount();
    const known = await harness.newSource(own);
    const { url } = await harness.newSource(own, await photo(100, 100, 'jpeg'));
    const first = await harness.newJob(own, { sourceUrl: known.url });
    await harness.jobs.complete(first.id);
    const { model } = harness.app
      .get(AvailableOperations)
      .operations()
      .find(({ operation }) => operation === 'upscale')!;
    await harness.rows('UPDATE jobs SET model = $2::jsonb WHERE id = $1', [first.id, JSON.stringify(model)]);
    await harness.rows(
      `UPDATE accounts SET limits = limits || jsonb_build_object('storageBytes', used_bytes + 1)
         FROM storage_usage WHERE account_id = id AND id = $1`,
      [own.id],
    );
    const sourceUrls = [known.url, known.url, url, url];
    for (const _ of [1, 2, 3]) {
      const order = { sourceUrls, operation: 'upscale', cache: true, dryRun: true };
      expect((await harness.createBatch(own.key, order)).body).toMatchObject({ quota: 'storage' });
    }
  });

  it('when the queue is full: nothing is created or charged. The last batch may exceed its limit.', async () => {
    const { url } = await harness.newSource(account, await photo(100, 100, 'jpeg'));
    const create = (count: number) =>
      harness.createBatch(account.key, {
        sourceUrls: Array.from({ length: count }, () => url),
        operation: 'upscale',
        onQuota: 'partial',
      });
    expect((await create(4)).status).toBe(201);
    const before = await harness.footprint();
    const { status, body, headers } = await create(1);
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'service_unavailable' });
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(await harness.footprint()).toEqual(before);
  });
});
