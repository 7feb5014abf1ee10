import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
let sourceUrl: string;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  sourceUrl = (await harness.newSource(account)).url;
});
afterAll(() => harness.close());

describe('POST /api/ai/batches → 201', () => {
  it('returns the batch and its Location', async () => {
    const png = await harness.newSource(account, await photo(24, 16, 'png'));
    const { status, body, headers } = await harness.createBatch(account.key, {
      sourceUrls: [sourceUrl, png.url, sourceUrl],
      operation: 'smooth_skin',
      metadata: { order: '4711' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^bat_[0-9a-f]{32}$/) as unknown,
      status: 'queued',
      counts: { total: 3, queued: 3, processing: 0, completed: 0, failed: 0, canceled: 0 },
      percent: 0,
      operation: 'smooth_skin',
      level: 'medium',
      livemode: true,
      metadata: { order: '4711' },
      createdAt: expect.stringMatching(/Z$/) as unknown,
      completedAt: null,
      skipped: [],
    });
    const { id } = body as { id: string };
    expect(headers['location']).toBe(`/api/ai/batches/${id}`);
    const jobs = await harness.call('GET', `/api/ai/batches/${id}/jobs`, { key: account.key });
    const { data } = jobs.body as { data: { id: string }[] };
    expect(data).toMatchObject(
      ['jpeg', 'png', 'jpeg'].map((format, batchIndex) => ({
        status: 'queued',
        operation: 'smooth_skin',
        level: 'medium',
        output: { format },
        metadata: { order: '4711' },
        batchId: id,
        batchIndex,
      })),
    );
    const single = await harness.call('GET', `/api/ai/enhance/${data[1]!.id}`, { key: account.key });
    expect(single.body).toMatchObject({ batchId: id, batchIndex: 1 });
  });

  it('writes jobs, reservations and events together', async () => {
    const own = await harness.createAccount();
    await harness.listen(own);
    const { url } = await harness.newSource(own);
    const before = await harness.footprint();
    const { id } = await harness.newBatch(own, { sourceUrls: Array.from({ length: 7 }, () => url) });
    expect(await harness.footprint()).toEqual({
      ...before,
      jobs: before.jobs + 7,
      batches: before.batches + 1,
      events: before.events + 7,
      ledger: before.ledger + 7,
      enhancementsUsed: before.enhancementsUsed + 7,
    });
    const events = await harness.rows<{ data: { job: { id: string; batchId: string } } }>(
      "SELECT data FROM events WHERE account_id = $1 AND type = 'enhancement.queued' ORDER BY id",
      [own.id],
    );
    expect(events.map(({ data }) => data.job.id)).toEqual(await harness.batchJobs(id));
    expect(new Set(events.map(({ data }) => data.job.batchId))).toEqual(new Set([id]));
  });

  it('accepts a thousand sources with long URLs', async () => {
    const long = `${sourceUrl}&padding=${'x'.repeat(200)}`;
    const { status, body } = await harness.createBatch(account.key, {
      sourceUrls: Array.from({ length: 1_000 }, () => long),
      operation: 'upscale',
      output: { format: 'webp', quality: 80 },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ counts: { total: 1_000, queued: 1_000 } });
    const { id } = body as { id: string };
    const [row] = await harness.rows<object>(
      `SELECT count(*)::int AS jobs, count(DISTINCT batch_index)::int AS indexes, count(DISTINCT turn)::int AS turns
         FROM jobs WHERE batch_id = $1`,
      [id],
    );
    expect(row).toEqual({ jobs: 1_000, indexes: 1_000, turns: 1_000 });
  });

  it('with onQuota=partial, creates as many jobs as the quota allows and names the others', async () => {
    const own = await harness.createAccount({ limits: { enhancements: 3 } });
    const { url } = await harness.newSource(own);
    const { status, body } = await harness.createBatch(own.key, {
      sourceUrls: [url, url, url, url, url],
      operation: 'upscale',
      onQuota: 'partial',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      counts: { total: 3 },
      skipped: [3, 4].map((index) => ({
        index,
        sourceUrl: expect.stringContaining(`${PUBLIC_URL}/files/src_`) as unknown,
        reason: 'quota_exceeded',
      })),
    });
    const usage = await harness.call('GET', '/api/usage', { key: own.key });
    expect(usage.body).toMatchObject({ enhancements: { used: 3, remaining: 0 } });
  });

  it('returns the first batch again for the same Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'batch-1' };
    const json = { sourceUrls: [sourceUrl, sourceUrl], operation: 'upscale' };
    const before = await harness.footprint();
    const first = await harness.createBatch(account.key, json, headers);
    const second = await harness.createBatch(account.key, json, headers);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['location']).toBe(first.headers['location']);
    expect(second.body).toEqual(first.body);
    expect(await harness.footprint()).toMatchObject({ jobs: before.jobs + 2, batches: before.batches + 1 });
  });

  it('lets a single job overtake an earlier batch of the same account', async () => {
    const own = await harness.createAccount();
    const { url } = await harness.newSource(own);
    const turnOf = async (jobId: string): Promise<number> => {
      const [row] = await harness.rows<{ turn: string }>('SELECT turn FROM jobs WHERE id = $1', [jobId]);
      return Number(row!.turn);
    };
    const { id } = await harness.newBatch(own, { sourceUrls: Array.from({ length: 20 }, () => url) });
    const items = await harness.batchJobs(id);
    const [single, next] = [
      await harness.newJob(own, { sourceUrl: url }),
      await harness.newJob(own, { sourceUrl: url }),
    ];
    const price = (await turnOf(items[1]!)) - (await turnOf(items[0]!));
    expect(await turnOf(single.id)).toBe(await turnOf(items[0]!));
    expect(await turnOf(next.id)).toBe(await turnOf(items[1]!));
    // The next batch queues behind this one, and pays for the single jobs that overtook it.
    const later = await harness.batchJobs((await harness.newBatch(own, { sourceUrls: [url] })).id);
    expect(await turnOf(later[0]!)).toBe((await turnOf(items[19]!)) + price + 2 * price);
  });

  it('uses exactly the remaining quota when concurrent requests ask for more', async () => {
    const own = await harness.createAccount({ limits: { enhancements: 25 } });
    const { url } = await harness.newSource(own);
    const of = (count: number, onQuota: string) =>
      harness.createBatch(own.key, {
        sourceUrls: Array.from({ length: count }, () => url),
        operation: 'upscale',
        onQuota,
      });
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => of(7, 'all')),
      ...Array.from({ length: 3 }, () => of(4, 'partial')),
      ...Array.from({ length: 6 }, () =>
        harness.createJob(own.key, { sourceUrl: url, operation: 'upscale' }),
      ),
    ]);
    expect(answers.every(({ status }) => status === 201 || status === 403)).toBe(true);
    const totals = answers.map(({ status, body }) =>
      status === 201 ? ((body as { counts?: { total: number } }).counts?.total ?? 1) : 0,
    );
    expect(totals.slice(0, 6).every((total) => total === 0 || total === 7)).toBe(true);
    // The last batch takes whatever is left.
    await of(25, 'partial');
    const [row] = await harness.rows<object>(
      `SELECT (SELECT count(*) FROM jobs WHERE account_id = $1)::int AS jobs,
              (SELECT sum(used) FROM enhancement_usage WHERE account_id = $1)::int AS used,
              (SELECT count(*) FROM quota_ledger WHERE account_id = $1)::int AS ledger`,
      [own.id],
    );
    expect(row).toEqual({ jobs: 25, used: 25, ledger: 25 });
  });
});
