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

describe('POST /api/ai/batches → 409 idempotency_in_progress', () => {
  it('when requests with the same key arrive at the same time; only one batch is created', async () => {
    const { url } = await harness.newSource(account);
    const json = { sourceUrls: Array.from({ length: 200 }, () => url), operation: 'upscale' };
    const before = await harness.footprint();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => harness.createBatch(account.key, json, { 'Idempotency-Key': 'one' })),
    );
    const ids = new Set<string>();
    for (const { status, body } of answers) {
      if (status === 409) expect(body).toMatchObject({ code: 'idempotency_in_progress' });
      else ids.add((body as { id: string }).id);
    }
    expect(ids.size).toBe(1);
    expect(await harness.footprint()).toMatchObject({
      jobs: before.jobs + 200,
      batches: before.batches + 1,
      enhancementsUsed: before.enhancementsUsed + 200,
    });
  });
});
