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

describe('POST /api/ai/batches → 422 idempotency_mismatch', () => {
  it('when the key was used with another request', async () => {
    const { url } = await harness.newSource(account);
    const json = { sourceUrls: [url], operation: 'upscale' };
    const headers = { 'Idempotency-Key': 'one' };
    expect((await harness.createBatch(account.key, json, headers)).status).toBe(201);
    const before = await harness.footprint();
    for (const changed of [{ level: 'high' }, { sourceUrls: [url, url] }, { onQuota: 'all' }]) {
      const { status, body } = await harness.createBatch(account.key, { ...json, ...changed }, headers);
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'idempotency_mismatch' });
    }
    expect(await harness.footprint()).toEqual(before);
  });
});
