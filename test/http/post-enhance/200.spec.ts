import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AvailableOperations } from '../../../src/models/serving/available-operations.js';
import type { Answer } from '../../support/app/api-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
let sourceUrl: string;
beforeAll(async () => {
  harness = await startHarness({ env: { RATE_PIXELS_PER_MINUTE: 'free=2000' } });
  account = await harness.createAccount();
  await harness.listen(account);
  sourceUrl = (await harness.newSource(account, await photo(40, 30, 'jpeg'))).url;
});
afterAll(() => harness.close());

const dryRun = (json: Record<string, unknown>, key = account.key): Promise<Answer> =>
  harness.createJob(key, { sourceUrl, operation: 'upscale', ...json, dryRun: true });

/** Sends a request that must leave nothing behind. */
async function withoutTrace(work: () => Promise<Answer>): Promise<Answer> {
  const before = await harness.footprint();
  const answer = await work();
  expect(await harness.footprint()).toEqual(before);
  return answer;
}

/** Registers a serving worker in the database. */
async function serve(): Promise<void> {
  await harness.rows(
    `INSERT INTO model_workers (id, host, pid, device, operations, versions, refusals, kinds, state)
     VALUES ('wrk_forecast', 'here', 1, 'cpu', $1::jsonb, '[]', '[]', '{}', 'serving')`,
    [JSON.stringify(harness.app.get(AvailableOperations).operations())],
  );
}

describe('POST /api/ai/enhance with dryRun → 200', () => {
  it('returns the cost, the result, and the remaining quota, and leaves nothing behind', async () => {
    const { status, body, headers } = await withoutTrace(() =>
      dryRun({ level: 'high', output: { format: 'webp', quality: 80 } }),
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      dryRun: true,
      operation: 'upscale',
      level: 'high',
      output: { format: 'webp', quality: 80, background: null },
      cost: 1,
      estimatedSeconds: null,
      result: { format: 'webp', width: 160, height: 120 },
      quota: { remaining: 20_000 },
    });
    expect(headers).not.toHaveProperty('location');
  });

  it('ignores an Idempotency-Key, which can still create the job afterward', async () => {
    const headers = { 'idempotency-key': 'dry then wet'.replaceAll(' ', '-') };
    const order = { sourceUrl, operation: 'upscale' };
    const asked = await withoutTrace(() =>
      harness.createJob(account.key, { ...order, dryRun: true }, headers),
    );
    expect(asked.status).toBe(200);
    const created = await harness.createJob(account.key, order, headers);
    expect(created.status).toBe(201);
    expect(created.headers).not.toHaveProperty('idempotent-replayed');
    await harness.call('DELETE', created.headers['location']!, { key: account.key });
  });

  it('creates a job when dryRun is false', async () => {
    const { status } = await harness.createJob(account.key, {
      sourceUrl,
      operation: 'upscale',
      dryRun: false,
    });
    expect(status).toBe(201);
  });

  it('estimates the time once a worker serves, and longer for a longer queue', async () => {
    await serve();
    const own = await harness.createAccount();
    const large = (await harness.newSource(own, await photo(2_000, 1_000, 'jpeg'))).url;
    const estimate = async () =>
      ((await dryRun({ sourceUrl: large }, own.key)).body as { estimatedSeconds: number | null })
        .estimatedSeconds;
    // The service reads the queue at most once per second.
    await expect.poll(estimate, { timeout: 20_000 }).toBeGreaterThan(0);
    const alone = (await estimate())!;
    for (let job = 0; job < 3; job += 1) await harness.newJob(own, { sourceUrl: large });
    await expect.poll(estimate, { timeout: 20_000 }).toBeGreaterThan(alone);
  });
});

describe('POST /api/ai/enhance with dryRun refuses what creation refuses', () => {
  it.each([
    [{ operation: 'sharpen' }, 400],
    [{ operation: 'bg_remove', output: { format: 'jpeg' } }, 400],
    [{ sourceUrl: 'https://elsewhere.example/a.jpg' }, 400],
    [{ dryRun: 'yes' }, 400],
  ])('%j → %i', async (json, expected) => {
    const dry = await withoutTrace(() =>
      harness.createJob(account.key, { sourceUrl, operation: 'upscale', dryRun: true, ...json }),
    );
    expect(dry.status).toBe(expected);
    if ('dryRun' in json) return;
    const wet = await harness.createJob(account.key, { sourceUrl, operation: 'upscale', ...json });
    expect(wet.status).toBe(expected);
    expect(wet.body).toEqual({ ...(dry.body as object), requestId: expect.any(String) as unknown });
  });

  it('with 403 and without an event when the enhancements are used up', async () => {
    const own = await harness.createAccount({ plan: 'personal', limits: { enhancements: 1 } });
    await harness.listen(own);
    const { url } = await harness.newSource(own);
    await harness.newJob(own, { sourceUrl: url });
    const { status, body } = await withoutTrace(() => dryRun({ sourceUrl: url }, own.key));
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'quota_exceeded', quota: 'enhancements', used: 1, limit: 1 });
  });

  it('with 403 when the storage is full', async () => {
    const own = await harness.createAccount();
    const { url } = await harness.newSource(own);
    await harness.rows('UPDATE storage_usage SET used_bytes = 1e15 WHERE account_id = $1', [own.id]);
    const { status, body } = await withoutTrace(() => dryRun({ sourceUrl: url }, own.key));
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'quota_exceeded', quota: 'storage' });
  });

  it('with 429 when the pixel rate is used up, without using any of it itself', async () => {
    const own = await harness.createAccount({ plan: 'free' });
    const { url } = await harness.newSource(own);
    for (let time = 0; time < 3; time += 1) {
      expect((await dryRun({ sourceUrl: url }, own.key)).status).toBe(200);
    }
    await harness.newJob(own, { sourceUrl: url });
    const { status, body } = await dryRun({ sourceUrl: url }, own.key);
    expect(status).toBe(429);
    expect(body).toMatchObject({ code: 'pixel_rate_limited' });
  });
});
