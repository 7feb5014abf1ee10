import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RetentionCleanup } from '../../../src/dispatcher/retention-cleanup.js';
import { Retention } from '../../../src/dispatcher/retention/retention.js';
import { readConfig } from '../../../src/config/env.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectErasures } from '../../../src/infra/storage/object-erasures.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({ env: { METRICS_TOKEN: 'token' } });
});
beforeEach(async () => {
  await harness.rows(
    'TRUNCATE jobs, batches, sources, quota_ledger, quota_ledger_sums, retention_counts, object_erasures, events CASCADE',
  );
  account = await harness.createAccount();
});
afterAll(() => harness?.close());

const never = new AbortController().signal;
const retention = (env: Record<string, string> = {}): Retention =>
  new Retention(harness.app.get(Database), readConfig(env));
const count = async (table: string): Promise<number> =>
  (await harness.rows<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]!.n;

/** Ended jobs of this age with one source, each settled in the ledger; every tenth one is refunded. */
async function oldJobs(owner: TestAccount, jobs: number, daysAgo: number, status = 'failed'): Promise<void> {
  const values = [owner.id, jobs, daysAgo, status];
  const id = `lpad(to_hex((extract(epoch FROM now() - $3::int * interval '1 day') * 1000)::bigint), 12, '0') || md5($1 || n || $4)`;
  await harness.rows(
    `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
     VALUES ('src_' || $1, $1, 'sources/' || $1, 'png', 1, 1, 1000, '', now()) ON CONFLICT DO NOTHING`,
    [owner.id],
  );
  await harness.rows(
    `INSERT INTO jobs (id, account_id, source_id, operation, level, output, metadata, status, source_pixels, period, created_at,
       completed_at, error_code)
     SELECT 'job_' || ${id}, $1, 'src_' || $1, 'upscale', 'low', '{}', '{}', $4, 1, '2025-01', now() - $3::int * interval '1 day',
            CASE WHEN $4 = 'failed' THEN now() - $3::int * interval '1 day' END, CASE WHEN $4 = 'failed' THEN 'canceled' END
       FROM generate_series(1, $2::int) n`,
    values,
  );
  await harness.rows(
    `INSERT INTO quota_ledger (job_id, kind, account_id, period, created_at)
     SELECT 'job_' || ${id}, kind, $1, '2025-01', now() - $3::int * interval '1 day'
       FROM generate_series(1, $2::int) n, LATERAL (VALUES ('reserve'), (CASE WHEN n % 10 = 0 THEN 'refund' ELSE 'commit' END)) k (kind)
      WHERE kind = 'reserve' OR $4 = 'failed'`,
    values,
  );
  await harness.rows(
    `INSERT INTO enhancement_usage AS u (account_id, period, used)
     VALUES ($1, '2025-01', (SELECT count(*) FILTER (WHERE kind = 'reserve') - count(*) FILTER (WHERE kind = 'refund')
                               FROM quota_ledger WHERE account_id = $1))
     ON CONFLICT (account_id, period) DO UPDATE SET used = excluded.used`,
    [owner.id],
  );
}

/** The use according to the ledger (its sums and remaining rows) and to the counter. */
async function booked(owner: TestAccount): Promise<{ booked: number; used: number }> {
  const [row] = await harness.rows<{ booked: number; used: number }>(
    `SELECT (SELECT sum(CASE kind WHEN 'reserve' THEN n WHEN 'refund' THEN -n ELSE 0 END)::int FROM (
               SELECT kind, count(*) AS n FROM quota_ledger WHERE account_id = $1 GROUP BY kind
               UNION ALL SELECT kind, count FROM quota_ledger_sums WHERE account_id = $1) b) AS booked,
            (SELECT sum(used)::int FROM enhancement_usage WHERE account_id = $1) AS used`,
    [owner.id],
  );
  return row!;
}

describe('retention', () => {
  it('deletes ended jobs after 400 days with several dispatchers, and keeps the ledger exact', async () => {
    await oldJobs(account, 3_000, 401);
    await oldJobs(account, 20, 399);
    await oldJobs(account, 7, 500, 'queued');
    await Promise.all([1, 2, 3].map(() => retention().run(never)));
    expect(await count('jobs')).toBe(27);
    expect(await count(`jobs WHERE status = 'queued'`)).toBe(7);
    // Both rows of each of the twenty, and the reservations of those that have not ended.
    expect(await count('quota_ledger')).toBe(47);
    const books = await booked(account);
    expect(books).toEqual({ booked: books.used, used: 2_700 + 18 + 7 });
    const { text } = await harness.call('GET', '/metrics', { headers: { authorization: 'Bearer token' } });
    expect(text).toMatch(/ies_retention_deleted_rows\{kind="jobs",role="api"\} 3000/);
    expect(text).toMatch(/ies_retention_deleted_rows\{kind="ledger",role="api"\} 6000/);
  });

  it('deletes a batch after its last job, but not an open or a recent one', async () => {
    await oldJobs(account, 3, 401);
    await oldJobs(account, 2, 399);
    const old = (id: string, completedAt: string | null) =>
      harness.rows(
        `INSERT INTO batches (id, account_id, request, total, created_at, completed_at)
         VALUES ($1, $2, '{}', 1, now() - interval '401 days', $3)`,
        [id, account.id, completedAt],
      );
    const ids = ['1', '2', '3'].map((digit) => `bat_${digit.padStart(32, '0')}`);
    const longAgo = new Date(Date.now() - 401 * 86_400_000).toISOString();
    await old(ids[0]!, longAgo);
    await old(ids[1]!, longAgo);
    await old(ids[2]!, null);
    // The job of the first batch is old, that of the second is not.
    await harness.rows(
      'UPDATE jobs SET batch_id = $1, batch_index = 0 WHERE id = (SELECT min(id) FROM jobs)',
      [ids[0]],
    );
    await harness.rows(
      'UPDATE jobs SET batch_id = $1, batch_index = 0 WHERE id = (SELECT max(id) FROM jobs)',
      [ids[1]],
    );
    await retention().run(never);
    expect(await count('jobs')).toBe(2);
    const left = await harness.rows<{ id: string }>('SELECT id FROM batches ORDER BY id');
    expect(left.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
    await harness.rows('DELETE FROM accounts WHERE id = $1', [account.id]);
    expect(await count('batches')).toBe(0);
  });

  it('resumes where a dispatcher was killed, and counts nothing twice', async () => {
    await oldJobs(account, 2_000, 401);
    const database = harness.app.get(Database);
    let statements = 0;
    // The clock of the database, then two batches.
    const dying = {
      query: (...given: Parameters<Database['query']>) =>
        (statements += 1) > 3 ? Promise.reject(new Error('killed')) : database.query(...given),
    } as unknown as Database;
    await expect(new Retention(dying, readConfig({})).run(never)).rejects.toThrow('killed');
    expect(await count('jobs')).toBe(1_000);
    await retention().run(never);
    expect(await count('jobs')).toBe(0);
    expect(await harness.rows('SELECT kind, deleted::int FROM retention_counts ORDER BY kind')).toEqual([
      { kind: 'jobs', deleted: 2_000 },
      { kind: 'ledger', deleted: 4_000 },
    ]);
    expect((await booked(account)).booked).toBe((await booked(account)).used);
  });

  it('keeps a job as long as its result, and each plan as configured', async () => {
    const free = await harness.createAccount({ plan: 'free' });
    await oldJobs(account, 3, 300);
    await oldJobs(free, 4, 300);
    const { id } = await harness.newJob(account);
    await harness.jobs.complete(id);
    await harness.rows(`UPDATE jobs SET completed_at = now() - interval '2 years' WHERE id = $1`, [id]);
    await retention({ RETENTION_JOB_DAYS: 'free=100' }).run(never);
    expect(await count(`jobs WHERE account_id = '${free.id}'`)).toBe(0);
    expect(await count(`jobs WHERE account_id = '${account.id}'`)).toBe(4);
    await retention({ RETENTION_JOB_DAYS: '0' }).run(never);
    expect(await count(`jobs WHERE account_id = '${account.id}'`)).toBe(4);
  });

  it('keeps a failed job until its source is erased, if it has to be', async () => {
    await oldJobs(account, 1, 800);
    const [job] = await harness.rows<{ id: string }>(
      `UPDATE jobs SET retention = 'deliver', result_expires_at = now() RETURNING id`,
    );
    await retention().run(never);
    expect(await count('jobs')).toBe(1);
    await harness.app.get(JobCompletion).eraseResult(job!.id);
    await retention().run(never);
    expect(await count('jobs')).toBe(0);
  });

  it('deletes old sources if configured, frees their bytes, and queues their objects for erasure', async () => {
    const sources = [
      await harness.newSource(account),
      await harness.newSource(account),
      await harness.newSource(account),
    ];
    const [, waiting, young] = sources;
    await harness.newJob(account, { sourceUrl: waiting!.url });
    const age = (id: string, table = 'sources') =>
      harness.rows(
        `UPDATE ${table} SET id = 'src_' || lpad(to_hex((extract(epoch FROM now() - interval '40 days') * 1000)::bigint), 12, '0') || substr(id, 17),
           created_at = now() - interval '40 days' WHERE id = $1`,
        [id],
      );
    await age(sources[0]!.id);
    await harness.rows(`UPDATE sources SET created_at = now() - interval '40 days' WHERE id = $1`, [
      waiting!.id,
    ]);
    await Promise.all([1, 2].map(() => retention().run(never)));
    expect(await count('sources WHERE deleted_at IS NULL')).toBe(3);
    await Promise.all([1, 2].map(() => retention({ RETENTION_SOURCE_DAYS: '30' }).run(never)));
    expect(await count('sources WHERE deleted_at IS NULL')).toBe(2);
    const [usage] = await harness.rows<{ used: number }>(
      'SELECT used_bytes::int AS used FROM storage_usage WHERE account_id = $1',
      [account.id],
    );
    expect(usage!.used).toBe(waiting!.bytes + young!.bytes);
    const before = await harness.footprint();
    await new ObjectErasures(harness.app.get(Database), harness.app.get(ObjectStore)).erase(100);
    expect((await harness.footprint()).objects).toBe(before.objects - 1);
  });

  it('keeps deliveries and events as the plan says, and an event as long as its deliveries', async () => {
    const other = await harness.createAccount({ plan: 'personal' });
    for (const owner of [account, other]) {
      const { id } = await harness.newEndpoint(owner);
      await harness.rows(
        `WITH aged AS (
           SELECT lpad(to_hex((extract(epoch FROM now() - interval '40 days') * 1000)::bigint), 12, '0') || md5($1 || n) AS id, n
             FROM generate_series(1, 600) n),
         e AS (
           INSERT INTO events (id, account_id, type, data, created_at, dispatched_at)
           SELECT 'evt_' || id, $1, 'ping', '{}', now() - interval '40 days', now() FROM aged),
         d AS (
           INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event_type, url, status, created_at)
           SELECT 'dlv_' || id, $1, $2, 'evt_' || id, 'ping', 'https://receiver.example/', 'failed', now() - interval '40 days'
             FROM aged WHERE n <= 550)
         INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms)
         SELECT 'dlv_' || id, 1, now(), 1 FROM aged WHERE n <= 550`,
        [owner.id, id],
      );
    }
    const left = async (owner: TestAccount) => [
      await count(`webhook_deliveries WHERE account_id = '${owner.id}'`),
      await count(`events WHERE account_id = '${owner.id}' AND created_at < now() - interval '39 days'`),
    ];
    // The events are past their retention everywhere, the deliveries only in the personal plan.
    const env = { RETENTION_DELIVERY_DAYS: 'personal=35,business=60', RETENTION_EVENT_DAYS: '10' };
    await Promise.all([1, 2].map(() => retention(env).run(never)));
    await retention(env).run(never);
    expect(await left(other)).toEqual([0, 0]);
    expect(await left(account)).toEqual([550, 550]);
    expect(await count('webhook_attempts')).toBe(550);
    await retention().run(never);
    expect(await left(account)).toEqual([0, 0]);
    expect(await harness.rows('SELECT kind, deleted::int FROM retention_counts ORDER BY kind')).toEqual([
      { kind: 'deliveries', deleted: 1_100 },
      { kind: 'events', deleted: 1_200 },
    ]);
  });

  it('deletes daily sums, idempotency keys and sessions after their retention, and counts them', async () => {
    await harness.rows('TRUNCATE enhancement_days, operation_days, storage_days, idempotency_keys, sessions');
    await harness.rows(
      `INSERT INTO enhancement_days (account_id, day, key_id, count)
       SELECT $1, current_date - age, n::text, 1 FROM generate_series(1, 1100) n, unnest(ARRAY[99, 101]) age`,
      [account.id],
    );
    await harness.rows(
      `INSERT INTO operation_days (account_id, day, key_id, operation, count)
       SELECT $1, current_date - age, '', 'upscale', 1 FROM unnest(ARRAY[99, 101]) age`,
      [account.id],
    );
    await harness.rows(
      `INSERT INTO storage_days (account_id, day, bytes) SELECT $1, current_date - age, 1 FROM unnest(ARRAY[99, 101]) age`,
      [account.id],
    );
    await harness.rows(
      `INSERT INTO idempotency_keys (account_id, key, request_hash, status, body, created_at)
       SELECT $1, age::text, 'h', 201, '{}', now() - age * interval '1 hour' FROM unnest(ARRAY[1, 3]) age`,
      [account.id],
    );
    await harness.rows(
      `INSERT INTO sessions (token_hash, account_id, expires_at)
       SELECT n::text::bytea, $1, now() + n * interval '1 hour' FROM unnest(ARRAY[-1, 1]) n`,
      [account.id],
    );
    const env = { RETENTION_USAGE_DAYS: '100', RETENTION_IDEMPOTENCY_HOURS: '2' };
    const { app } = harness;
    const cleanup = () =>
      new RetentionCleanup(app.get(Database), app.get(ObjectStore), readConfig(env)).keep();
    await Promise.all([cleanup(), cleanup()]);
    expect(await count('enhancement_days')).toBe(1_100);
    for (const table of ['operation_days', 'storage_days', 'idempotency_keys', 'sessions'])
      expect(await count(table)).toBe(1);
    expect(
      await harness.rows(
        `SELECT kind, deleted::int FROM retention_counts WHERE kind <> 'rate_limits' ORDER BY kind`,
      ),
    ).toEqual([
      { kind: 'enhancement_days', deleted: 1_100 },
      { kind: 'idempotency_keys', deleted: 1 },
      { kind: 'operation_days', deleted: 1 },
      { kind: 'sessions', deleted: 1 },
      { kind: 'storage_days', deleted: 1 },
    ]);
  });
});
