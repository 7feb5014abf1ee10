import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ObjectErasures } from '../../../src/infra/storage/object-erasures.js';
import { ABANDONED_COPIES } from '../../../src/dispatcher/retention/abandoned-copies.sql.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { AppError } from '../../../src/kernel/app-error.js';
import { AvailableOperations } from '../../../src/models/serving/available-operations.js';
import { CallbackHosts } from '../../../src/webhooks/callbacks/callback-hosts.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const RESULT = Buffer.from('pixels of the first result');

/** An account whose first source has a completed job, and whose second has none. */
async function withResult(limits: Record<string, number> = {}) {
  const account = await harness.createAccount({ limits });
  await harness.listen(account);
  const [known, other] = [
    await harness.newSource(account, await photo(40, 30, 'jpeg')),
    await harness.newSource(account, await photo(41, 30, 'jpeg')),
  ];
  const first = await harness.newJob(account, { sourceUrl: known.url, operation: 'upscale' });
  await harness.jobs.complete(first.id, RESULT);
  const { model } = harness.app
    .get(AvailableOperations)
    .operations()
    .find(({ operation }) => operation === 'upscale')!;
  await harness.rows('UPDATE jobs SET model = $2::jsonb WHERE id = $1', [first.id, JSON.stringify(model)]);
  const create = (sourceUrls: string[], json: Record<string, unknown> = {}) =>
    harness.createBatch(account.key, { sourceUrls, operation: 'upscale', cache: true, ...json });
  return { account, first, known: known.url, other: other.url, create };
}

const usedBy = async ({ id }: TestAccount) =>
  (await harness.rows<{ used: number }>('SELECT used FROM enhancement_usage WHERE account_id = $1', [id]))[0]!
    .used;

/** Objects that do not belong to a job yet. */
const recordedCopies = () => harness.rows('SELECT object_key FROM result_copies');

interface Items {
  readonly data: readonly { readonly id: string; readonly resultUrl: string }[];
}

const resultOf = ({ key }: TestAccount, { resultUrl }: Items['data'][number]) =>
  harness.call('GET', new URL(resultUrl).pathname.replace('/base', ''), { key });

describe('POST /api/ai/batches with cache', () => {
  it('completes cached items at once for free, and enhances the others', async () => {
    const { account, known, other, create } = await withResult();
    const { status, body } = await create([known, other, known], { metadata: { order: '7' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'processing',
      counts: { total: 3, queued: 1, completed: 2 },
      completedAt: null,
    });
    expect(await usedBy(account)).toBe(2);
    const { id } = body as { id: string };
    const jobs = await harness.call('GET', `/api/ai/batches/${id}/jobs`, { key: account.key });
    const hit = { status: 'completed', cached: true, batchId: id, metadata: { order: '7' } };
    expect(jobs.body).toMatchObject({
      data: [
        { ...hit, batchIndex: 0 },
        { status: 'queued', batchIndex: 1 },
        { ...hit, batchIndex: 2 },
      ],
    });
    expect((await resultOf(account, (jobs.body as Items).data[0]!)).body).toEqual(RESULT);
    const single = await harness.createJob(account.key, {
      sourceUrl: known,
      operation: 'upscale',
      cache: true,
    });
    expect(single.body).toMatchObject({ cached: true });
    expect(single.body).not.toHaveProperty('batchId');
  });

  it('completes a batch of cached items at once, with its events, even with no enhancements left', async () => {
    const { account, known, create } = await withResult({ enhancements: 1 });
    const { body } = await create([known, known]);
    expect(body).toMatchObject({
      status: 'completed',
      counts: { total: 2, completed: 2 },
      percent: 100,
      completedAt: expect.stringMatching(/Z$/) as unknown,
    });
    const types = await harness.eventTypes(account);
    expect(types.filter((type) => type === 'batch.completed')).toHaveLength(1);
    expect(types.filter((type) => type === 'enhancement.completed')).toHaveLength(3);
  });

  it('creates nothing when the uncached items exceed the quota; with onQuota, skips only those', async () => {
    const { known, other, create } = await withResult({ enhancements: 2 });
    const before = await harness.footprint();
    const refused = await create([other, known, other]);
    expect(refused.body).toMatchObject({ code: 'quota_exceeded', needed: 2, remaining: 1 });
    expect(await harness.footprint()).toMatchObject({
      objects: before.objects,
      jobs: before.jobs,
      storageBytes: before.storageBytes,
    });
    const { body } = await create([other, other, known], { onQuota: 'partial' });
    expect(body).toMatchObject({ counts: { total: 2, completed: 1 }, skipped: [{ index: 1 }] });
  });

  it('refuses copies that exceed the storage quota', async () => {
    const { account, known, create } = await withResult();
    const [used] = await harness.rows<{ used_bytes: string }>(
      'SELECT used_bytes FROM storage_usage WHERE account_id = $1',
      [account.id],
    );
    const storageBytes = Number(used!.used_bytes) + 1;
    await harness.rows(
      `UPDATE accounts SET limits = limits || jsonb_build_object('storageBytes', $2::bigint) WHERE id = $1`,
      [account.id, storageBytes],
    );
    const before = await harness.footprint();
    for (const dryRun of [true, false])
      expect((await create([known, known], { dryRun })).body, `dryRun: ${dryRun}`).toMatchObject({
        code: 'quota_exceeded',
        quota: 'storage',
      });
    expect((await create([known], { dryRun: true })).status).toBe(200);
    expect(await harness.footprint()).toMatchObject({ jobs: before.jobs, objects: before.objects });
    expect((await create([known])).status).toBe(201);
  });

  it('does not lock the enhancement quota while it waits for the storage quota', async () => {
    const { account, known, other, create } = await withResult();
    const database = harness.app.get(Database);
    let creating: ReturnType<typeof create> | undefined;
    await database.transaction(async (tx) => {
      await tx.query('UPDATE storage_usage SET used_bytes = used_bytes WHERE account_id = $1', [account.id]);
      creating = create([known, other]);
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(() => harness.rows(waiting)).toHaveLength(1);
      await tx.query('UPDATE enhancement_usage SET used = used WHERE account_id = $1', [account.id]);
    });
    expect((await creating!).body).toMatchObject({ counts: { total: 2, completed: 1 } });
  });

  it('does not deadlock with an upload that names the same callback host', async () => {
    const { account, known, create } = await withResult();
    const callbackUrl = 'https://receiver.example/done';
    const hosts = harness.app.get(CallbackHosts);
    let creating: ReturnType<typeof create> | undefined;
    await harness.app.get(Database).transaction(async (tx) => {
      // Locks as a form does, which uploads its file and creates its job in one transaction.
      await tx.query('UPDATE storage_usage SET used_bytes = used_bytes WHERE account_id = $1', [account.id]);
      creating = create([known], { callbackUrl });
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(() => harness.rows(waiting), { timeout: 20_000 }).toHaveLength(1);
      await hosts.prepare(tx, account.id, callbackUrl);
    });
    expect(await creating).toMatchObject({ status: 201, body: { counts: { completed: 1 } } });
  });

  it('holds no transaction open while it copies results, and does not wait for the enhancement quota', async () => {
    const { account, known, create } = await withResult();
    const store = harness.app.get(ObjectStore);
    const copy = store.copy.bind(store);
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const copying = vi.spyOn(store, 'copy').mockImplementation(async (from, to) => {
      await gate;
      await copy(from, to);
    });
    try {
      const creating = create([known, known]);
      await expect.poll(() => copying.mock.calls.length).toBeGreaterThan(0);
      const inTransaction = `SELECT query FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
      expect(await harness.rows(inTransaction)).toEqual([]);
      await harness.app.get(Database).transaction(async (tx) => {
        await tx.query('SELECT 1 FROM enhancement_usage WHERE account_id = $1 FOR UPDATE', [account.id]);
        open();
        expect((await creating).body).toMatchObject({ status: 'completed', counts: { completed: 2 } });
      });
    } finally {
      open();
      copying.mockRestore();
    }
    expect(await recordedCopies()).toEqual([]);
  });

  it('erases abandoned copies, and refuses a request whose copies took that long', async () => {
    const { known, create } = await withResult();
    const store = harness.app.get(ObjectStore);
    const copy = store.copy.bind(store);
    const before = await harness.footprint();
    const copying = vi.spyOn(store, 'copy').mockImplementation(async (from, to) => {
      await copy(from, to);
      // Simulates a copy that takes an hour: the dispatcher then treats it as left behind by a killed process.
      await harness.rows(`UPDATE result_copies SET created_at = now() - interval '61 minutes'`);
      await harness.rows(ABANDONED_COPIES.text);
    });
    try {
      expect((await create([known])).body).toMatchObject({ code: 'service_unavailable' });
    } finally {
      copying.mockRestore();
    }
    expect(await recordedCopies()).toEqual([]);
    await new ObjectErasures(harness.app.get(Database), store).erase(100);
    expect(await harness.footprint()).toMatchObject({ jobs: before.jobs, objects: before.objects });
    expect((await create([known])).body).toMatchObject({ status: 'completed' });
  });

  it('keeps the result of an item that is enhanced because the earlier result was just erased', async () => {
    const { account, known, create } = await withResult();
    const store = harness.app.get(ObjectStore);
    const copying = vi.spyOn(store, 'copy').mockRejectedValue(new AppError('gone'));
    const { body } = await create([known]).finally(() => copying.mockRestore());
    expect(body).toMatchObject({ counts: { total: 1, queued: 1 } });
    expect(await recordedCopies()).toEqual([]);
    const [id] = await harness.batchJobs(body['id'] as string);
    await harness.jobs.complete(id!, RESULT);
    // As an earlier version left it.
    const record = `INSERT INTO result_copies SELECT result_key, now() - interval '61 minutes' FROM jobs WHERE id = $1`;
    await harness.rows(record, [id]);
    await harness.rows(ABANDONED_COPIES.text);
    await new ObjectErasures(harness.app.get(Database), store).erase(100);
    expect(await recordedCopies()).toEqual([]);
    const job = await harness.call('GET', `/api/ai/enhance/${id!}`, { key: account.key });
    expect((await resultOf(account, job.body as Items['data'][number])).body).toEqual(RESULT);
  });

  it('keeps nothing when the store fails halfway', async () => {
    const { known, create } = await withResult();
    const store = harness.app.get(ObjectStore);
    const copy = store.copy.bind(store);
    const before = await harness.footprint();
    let left = 3;
    const copying = vi.spyOn(store, 'copy').mockImplementation(async (from, to) => {
      if ((left -= 1) < 0) throw new AppError('service_unavailable', { retryAfterSeconds: 1 });
      await copy(from, to);
    });
    try {
      const refused = await create(Array.from({ length: 40 }, () => known));
      expect(refused.body).toMatchObject({ code: 'service_unavailable' });
      // Only the copies that already ran tried their result and thumbnail; the others were not started.
      expect(copying.mock.calls.length).toBeLessThan(40);
    } finally {
      copying.mockRestore();
    }
    expect(await harness.footprint()).toMatchObject({ jobs: before.jobs, objects: before.objects });
  });

  it('reports the free items in a dry run', async () => {
    const { known, other, create } = await withResult();
    const before = await harness.footprint();
    const mixed = await create([known, other, known], { dryRun: true });
    expect(mixed.body).toMatchObject({ total: 3, cost: 1, cached: 2, estimatedSeconds: null });
    const free = await create([known], { dryRun: true });
    expect(free.body).toMatchObject({ total: 1, cost: 0, cached: 1, estimatedSeconds: 0 });
    expect(await harness.footprint()).toEqual(before);
  });

  it.each([{ cache: false }, { cache: undefined }])('enhances every item with %j', async (json) => {
    const { known, create } = await withResult();
    expect((await create([known], json)).body).toMatchObject({ counts: { queued: 1 } });
  });

  it('copies a limited number of results per minute, as the dry run says', async () => {
    const { account, known, create } = await withResult({ rpm: 30 });
    const many = Array.from({ length: 200 }, () => known);
    expect((await create(many)).body).toMatchObject({ status: 'completed', counts: { completed: 200 } });
    const refused = {
      status: 429,
      body: {
        code: 'rate_limited',
        detail: expect.stringMatching(
          /limited to 300 cached results per minute, and this batch has 200\. Retry/,
        ),
      },
      headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
    };
    const before = await recordedCopies();
    expect(await create(many, { dryRun: true })).toMatchObject(refused);
    expect(await create(many)).toMatchObject(refused);
    expect(await recordedCopies()).toEqual(before);
    const [stored] = await harness.rows<{ jobs: number }>(
      'SELECT count(*)::int AS jobs FROM jobs WHERE account_id = $1',
      [account.id],
    );
    expect(stored!.jobs).toBe(201);
    // A dry run takes nothing, and fewer results fit.
    expect((await create(many.slice(100), { dryRun: true })).status).toBe(200);
    expect((await create(many.slice(100))).status).toBe(201);
  });
});
