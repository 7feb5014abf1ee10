import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const OPERATIONS = [{ operation: 'auto_enhance', level: 'low' }, { operation: 'upscale' }];

/** A dry run, which must leave nothing behind. */
async function dryRun(account: TestAccount, json: object) {
  const { url } = await harness.newSource(account);
  const before = await harness.footprint();
  const answer = await harness.createBatch(account.key, {
    sourceUrls: [url, url, url],
    operations: OPERATIONS,
    dryRun: true,
    ...json,
  });
  expect(await harness.footprint()).toEqual(before);
  return answer;
}

describe('POST /api/ai/batches with dryRun → 200', () => {
  it('returns the cost of the batch, and creates nothing', async () => {
    const account = await harness.createAccount({ limits: { enhancements: 10 } });
    await harness.listen(account);
    const { status, body } = await dryRun(account, { callbackUrl: 'https://receiver.example/' });
    expect(status).toBe(200);
    expect(body).toEqual({
      dryRun: true,
      operation: 'auto_enhance',
      level: 'low',
      total: 3,
      cost: 6,
      cached: 0,
      estimatedSeconds: null,
      skipped: [],
      quota: { remaining: 10 },
    });
  });

  it('names the preset and the items that would be skipped', async () => {
    const account = await harness.createAccount({ limits: { enhancements: 5 } });
    const json = { operations: undefined, preset: 'portrait', onQuota: 'partial' };
    const { status, body } = await dryRun(account, json);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      preset: 'portrait',
      total: 2,
      cost: 4,
      skipped: [{ index: 2, reason: 'quota_exceeded' }],
      quota: { remaining: 5 },
    });
  });

  it('refuses what a creation would refuse, and sends no webhook', async () => {
    const account = await harness.createAccount({ limits: { enhancements: 5 } });
    await harness.listen(account);
    const { status, body } = await dryRun(account, {});
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'quota_exceeded', needed: 6, remaining: 5 });
    const bad = await dryRun(account, { sourceUrls: ['https://example.com/a.jpg'] });
    expect(bad.status).toBe(400);
    expect(bad.body).toMatchObject({ errors: [{ field: 'sourceUrls.0' }] });
  });

  it('does not use up queue capacity', async () => {
    const account = await harness.createAccount();
    for (let round = 0; round < 5; round += 1) expect((await dryRun(account, {})).status).toBe(200);
    const { url } = await harness.newSource(account);
    const made = await harness.createBatch(account.key, { sourceUrls: [url], operation: 'upscale' });
    expect(made.status).toBe(201);
  });
});
