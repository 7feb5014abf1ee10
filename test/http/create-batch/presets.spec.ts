import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const OPERATIONS = [
  { operation: 'auto_enhance', level: 'low' },
  { operation: 'upscale', level: 'medium' },
];

const jobsOf = async (id: string): Promise<readonly Record<string, unknown>[]> =>
  ((await harness.call('GET', `/api/ai/batches/${id}/jobs`, { key: account.key })).body as { data: [] }).data;

describe('POST /api/ai/batches with preset', () => {
  it('keeps the operations that the preset had at creation, even when the batch is retried', async () => {
    await harness.newPreset(account, 'mine', { operations: OPERATIONS, output: { format: 'webp' } });
    const { url } = await harness.newSource(account);
    const json = { sourceUrls: [url, url], preset: 'mine' };
    const { status, body } = await harness.createBatch(account.key, json);
    expect(status).toBe(201);
    expect(body).toMatchObject({ preset: 'mine', operation: 'auto_enhance', level: 'low' });
    await harness.newPreset(account, 'mine', { operations: [{ operation: 'bg_remove' }] });
    const id = body['id'] as string;
    const [first] = await harness.batchJobs(id);
    await harness.jobs.fail(first!, 'processing_failed');
    const retried = await harness.call('POST', `/api/ai/batches/${id}/retry`, { key: account.key });
    expect(retried.status, retried.text).toBe(200);
    for (const job of await jobsOf(id))
      expect(job).toMatchObject({ preset: 'mine', operations: OPERATIONS, output: { format: 'webp' } });
  });

  it('omits the preset from a batch without one', async () => {
    const { id } = await harness.newBatch(account);
    const { body } = await harness.call('GET', `/api/ai/batches/${id}`, { key: account.key });
    expect(body).not.toHaveProperty('preset');
    expect((await jobsOf(id))[0]).not.toHaveProperty('preset');
  });

  it('returns 404 and creates nothing when the preset does not exist', async () => {
    const { url } = await harness.newSource(account);
    const before = await harness.footprint();
    const json = { sourceUrls: [url], preset: 'nothing' };
    const { status, body } = await harness.createBatch(account.key, json);
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'preset_not_found' });
    expect(await harness.footprint()).toEqual(before);
  });

  it('returns 400 when the request also has operations', async () => {
    const { url } = await harness.newSource(account);
    const json = { sourceUrls: [url], preset: 'portrait', operations: OPERATIONS };
    const { status, body } = await harness.createBatch(account.key, json);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'preset', code: 'conflict' }] });
  });
});
