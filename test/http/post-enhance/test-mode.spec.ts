import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { QueueForecastRepository } from '../../../src/jobs/preview/queue-forecast.repository.js';
import { QueuePositionsRepository } from '../../../src/jobs/updates/queue-positions.repository.js';
import { QueueGauge } from '../../../src/jobs/queue/queue-gauge.js';
import { FairQueueRepository } from '../../../src/jobs/queue/fair-queue.repository.js';
import { QueueWorkRepository } from '../../../src/jobs/queue/queue-work.repository.js';
import { testAccountOf } from '../../../src/kernel/accounts/livemode.js';
import { Catalog } from '../../../src/models/repository/catalog.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let live: TestAccount;
let test: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
});
beforeEach(async () => {
  live = await harness.createAccount();
  const { key, id: keyId } = await harness.createKey(live, { livemode: false });
  test = { id: testAccountOf(live.id), key, keyId };
});
afterAll(() => harness.close());

const refusal = async (metadata: object) => {
  const { url: sourceUrl } = await harness.newSource(test);
  return harness.createJob(test.key, { sourceUrl, operation: 'upscale', metadata });
};

/** An upload with this file name. */
async function named(name: string): Promise<string> {
  const file = { bytes: await photo(48, 32, 'jpeg'), name };
  const { status, body, text } = await harness.call('POST', '/api/ai/upload', { key: test.key, file });
  expect(status, text).toBe(201);
  return (body as { url: string }).url;
}

describe('a job in test mode', () => {
  it('is marked as test mode, and costs nothing', async () => {
    const { id } = await harness.newJob(test);
    const { body } = await harness.call('GET', `/api/ai/enhance/${id}`, { key: test.key });
    expect(body).toMatchObject({ livemode: false, status: 'queued', operation: 'upscale' });
    const rows = await harness.rows('SELECT enhancements FROM jobs WHERE id = $1', [id]);
    expect(rows).toEqual([{ enhancements: 0 }]);
  });

  it('is not in the queue of live jobs', async () => {
    const { id } = await harness.newJob(test);
    const { id: liveId } = await harness.newJob(live);
    const queue = harness.app.get(FairQueueRepository);
    const found = async (kinds: readonly string[]) =>
      (await queue.waiting(kinds, 1_000)).map((job) => job.id);
    const ofModels = await found(harness.app.get(Catalog).kinds());
    expect(ofModels).toContain(liveId);
    expect(ofModels).not.toContain(id);
    expect(await found(['test'])).toContain(id);
  });

  it('counts neither toward worker scaling nor toward estimates', async () => {
    await harness.newJob(test);
    const queued = await harness.app.get(QueueWorkRepository).queued();
    await harness.newJob(live);
    const after = await harness.app.get(QueueWorkRepository).queued();
    const jobs = (work: typeof queued) => work.reduce((sum, each) => sum + each.jobs, 0);
    expect(jobs(after)).toBe(jobs(queued) + 1);
    const work = await harness.app.get(QueueForecastRepository).work();
    expect(work.map(({ accountId }) => accountId)).toContain(live.id);
    expect(work.map(({ accountId }) => accountId)).not.toContain(test.id);
  });

  it('can be created even if the quota of the plan is used up', async () => {
    await harness.accountsOf.setPlan(live.id, 'enterprise', { enhancements: 0 });
    await harness.newJob(test);
    const { url: sourceUrl } = await harness.newSource(live);
    expect((await harness.createJob(live.key, { sourceUrl, operation: 'upscale' })).status).toBe(403);
  });

  it('can simulate a rate limit refusal', async () => {
    const { status, body, headers } = await refusal({ test: 'rate_limited' });
    expect(status).toBe(429);
    expect(body).toMatchObject({ code: 'rate_limited' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('can simulate a quota refusal, including its webhook', async () => {
    await harness.listen(test);
    const { status, body } = await refusal({ test: 'quota_exceeded' });
    expect(status).toBe(403);
    expect(body).toMatchObject({
      code: 'quota_exceeded',
      quota: 'enhancements',
      limit: 20_000,
      used: 20_000,
      needed: 1,
      remaining: 0,
    });
    expect((await refusal({ test: 'quota_exceeded' })).status).toBe(403);
    const types = await harness.eventTypes(test);
    expect(types.filter((type) => type === 'quota.exceeded')).toHaveLength(2);
    expect(await harness.eventTypes(live)).not.toContain('quota.exceeded');
  });

  it('is refused for an unknown test, with a list of the known tests', async () => {
    const { status, body } = await refusal({ test: 'explode' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'metadata.test', code: 'enum' }] });
    expect((body as { detail: string }).detail).toContain('no_subject_found');
  });

  it.each([
    ['rate_limited.jpg', 429],
    ['quota_exceeded-2.png', 403],
    ['holiday.jpg', 201],
  ])('can also be controlled by the file name of its upload: %s', async (name, status) => {
    const sourceUrl = await named(name);
    expect((await harness.createJob(test.key, { sourceUrl, operation: 'upscale' })).status).toBe(status);
    const batch = await harness.createBatch(test.key, { sourceUrls: [sourceUrl], operation: 'upscale' });
    expect(batch.status, batch.text).toBe(status);
  });

  it('may wait with many others, but only up to a limit', async () => {
    const { url } = await harness.newSource(test);
    const batch = (length: number) =>
      harness.createBatch(test.key, { sourceUrls: Array.from({ length }, () => url), operation: 'upscale' });
    const [row] = await harness.rows<{ waiting: number }>(
      "SELECT count(*)::int AS waiting FROM jobs WHERE account_id = $1 AND status = 'queued'",
      [testAccountOf(live.id)],
    );
    const free = 1_000 - row!.waiting;
    expect((await batch(free - 1)).status).toBe(201);
    const refused = await batch(2);
    expect([refused.status, refused.body]).toMatchObject([429, { code: 'rate_limited' }]);
    const job = () => harness.createJob(test.key, { sourceUrl: url, operation: 'upscale' });
    const statuses = (await Promise.all(Array.from({ length: 4 }, job))).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 429, 429, 429]);
  });

  it('waits in a separate queue', async () => {
    const positions = harness.app.get(QueuePositionsRepository);
    const own = await harness.createAccount();
    const { id } = await harness.newJob(own);
    const [tests] = await harness.rows<{ id: string; before: number }>(
      `SELECT id, (count(*) OVER (ORDER BY turn, id))::int AS before FROM jobs
        WHERE status = 'queued' AND account_id LIKE 'test_%' ORDER BY turn DESC, id DESC LIMIT 1`,
    );
    const [lives] = await harness.rows<{ before: number }>(
      `SELECT count(*)::int AS before FROM jobs j, (SELECT turn, id FROM jobs WHERE id = $1) own
        WHERE j.status = 'queued' AND j.account_id NOT LIKE 'test_%' AND (j.turn, j.id) <= (own.turn, own.id)`,
      [id],
    );
    const found = await positions.of([id, tests!.id]);
    expect([found.get(id), found.get(tests!.id)]).toEqual([lives!.before, tests!.before]);
  });

  it('has a dry run that costs nothing and simulates the same refusals', async () => {
    const { url: sourceUrl } = await harness.newSource(test);
    const dry = { sourceUrl, operation: 'upscale', dryRun: true };
    expect((await harness.createJob(test.key, dry)).body).toMatchObject({ cost: 0 });
    const operations = [{ operation: 'auto_enhance' }, { operation: 'upscale' }];
    const json = { sourceUrl, operations, metadata: { test: 'quota_exceeded' } };
    for (const dryRun of [true, false]) {
      const refused = await harness.createJob(test.key, { ...json, dryRun });
      expect(refused).toMatchObject({ status: 403, body: { needed: 2 } });
    }
  });

  it('neither takes nor returns room in the queue of live jobs', async () => {
    const gauge = harness.app.get(QueueGauge);
    const admit = vi.spyOn(gauge, 'admit');
    const withdraw = vi.spyOn(gauge, 'withdraw');
    try {
      const { url } = await harness.newSource(test);
      const batch = { sourceUrls: [url, url], operation: 'upscale' };
      const dryRun = { sourceUrl: url, operation: 'upscale', dryRun: true };
      const answers = [
        await harness.createJob(test.key, dryRun),
        await harness.createBatch(test.key, { ...batch, dryRun: true }),
        await harness.createBatch(test.key, batch),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 201]);
      expect(admit).not.toHaveBeenCalled();
      expect(withdraw).not.toHaveBeenCalled();
    } finally {
      admit.mockRestore();
      withdraw.mockRestore();
    }
  });
});

it('a live job with metadata.test is an ordinary job', async () => {
  const { id } = await harness.newJob(live, { metadata: { test: 'rate_limited' } });
  const { body } = await harness.call('GET', `/api/ai/enhance/${id}`, { key: live.key });
  expect(body).toMatchObject({ livemode: true, metadata: { test: 'rate_limited' } });
});
