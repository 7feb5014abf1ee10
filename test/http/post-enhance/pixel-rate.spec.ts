import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

/** Ten jobs of 100 × 100 pixels a minute. */
const PER_MINUTE = 100_000;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { RATE_PIXELS_PER_MINUTE: `free=${PER_MINUTE}` } });
});
afterAll(() => harness.close());

const fresh = async (plan: 'free' | 'business' = 'free') => {
  const account = await harness.createAccount({ plan, limits: { rpm: 10_000 } });
  const { url: sourceUrl } = await harness.newSource(account, await photo(100, 100, 'jpeg'));
  const create = (order: object = {}) =>
    harness.createJob(account.key, { sourceUrl, operation: 'smooth_skin', ...order });
  return { account, create };
};

describe('POST /api/ai/enhance with a pixel rate limit', () => {
  it('admits exactly as many concurrent requests as fit', async () => {
    const { create, account } = await fresh();
    const answers = await Promise.all(Array.from({ length: 30 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    expect(refused[0]!.body).toMatchObject({
      code: 'pixel_rate_limited',
      detail: expect.stringContaining(`${PER_MINUTE} source pixels per minute`),
    });
    const wait = Number(refused[0]!.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(120);
    const [usage] = await harness.rows<{ used: number }>(
      'SELECT used FROM enhancement_usage WHERE account_id = $1',
      [account.id],
    );
    expect(usage!.used).toBe(10);
  });

  it('does not count a job that is refused for another reason', async () => {
    const { create, account } = await fresh();
    await harness.rows('UPDATE accounts SET limits = $2::jsonb WHERE id = $1', [
      account.id,
      JSON.stringify({ rpm: 10_000, enhancements: 0 }),
    ]);
    for (let attempt = 0; attempt < 12; attempt++) expect((await create()).status).toBe(403);
    const rows = await harness.rows('SELECT 1 FROM rate_limits WHERE bucket = $1', [`pixels:${account.id}`]);
    expect(rows).toEqual([]);
  });

  it('counts a job once when it is sent again with the same key', async () => {
    const { account } = await fresh();
    const { url: sourceUrl } = await harness.newSource(account, await photo(100, 100, 'jpeg'));
    const json = { sourceUrl, operation: 'smooth_skin' };
    for (let attempt = 0; attempt < 12; attempt++) {
      expect((await harness.createJob(account.key, json, { 'idempotency-key': 'the-same' })).status).toBe(
        201,
      );
    }
  });

  it('admits a single job that exceeds the limit on its own', async () => {
    const { account, create } = await fresh();
    const { url: sourceUrl } = await harness.newSource(account, await photo(500, 400, 'jpeg'));
    expect((await create({ sourceUrl })).status).toBe(201);
    expect((await create()).status).toBe(429);
  });

  it('does not limit other plans', async () => {
    const { create } = await fresh('business');
    const answers = await Promise.all(Array.from({ length: 15 }, () => create()));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 15 }, () => 201));
  });
});
