import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runMigrations } from '../../../src/infra/database/migrate.js';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

/** The sums of the three tables, computed from the rows themselves. */
const FROM_ROWS = {
  enhancements: `SELECT r.account_id AS account, to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
                        coalesce(r.key_id, '') AS part, sum(r.enhancements)::float8 AS amount
                   FROM quota_ledger r
                  WHERE r.kind = 'reserve'
                    AND NOT EXISTS (SELECT 1 FROM quota_ledger f WHERE f.job_id = r.job_id AND f.kind = 'refund')
                  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  operations: `SELECT r.account_id AS account, to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
                      coalesce(r.key_id, '') || ' ' || step.operation AS part, count(*)::float8 AS amount
                 FROM quota_ledger r JOIN jobs j ON j.id = r.job_id
                 CROSS JOIN LATERAL (
                   SELECT j.operation WHERE j.steps IS NULL
                   UNION ALL SELECT s->>'operation' FROM jsonb_array_elements(j.steps) s) step
                WHERE r.kind = 'reserve'
                  AND NOT EXISTS (SELECT 1 FROM quota_ledger f WHERE f.job_id = r.job_id AND f.kind = 'refund')
                GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  storage: `SELECT account, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, '' AS part, sum(bytes)::float8 AS amount FROM (
              SELECT account_id AS account, created_at AS at, bytes FROM sources
              UNION ALL SELECT account_id, deleted_at, -bytes FROM sources WHERE deleted_at IS NOT NULL
              UNION ALL SELECT account_id, completed_at, result_bytes FROM jobs WHERE result_key IS NOT NULL
              UNION ALL SELECT account_id, result_erased_at, -result_bytes FROM jobs WHERE result_erased_at IS NOT NULL) moved
             GROUP BY 1, 2 HAVING sum(bytes) <> 0 ORDER BY 1, 2`,
};
const FROM_DAYS = {
  enhancements: `SELECT account_id AS account, day::text AS day, key_id AS part, count::float8 AS amount
                   FROM enhancement_days WHERE count <> 0 ORDER BY 1, 2, 3`,
  operations: `SELECT account_id AS account, day::text AS day, key_id || ' ' || operation AS part, count::float8 AS amount
                 FROM operation_days WHERE count <> 0 ORDER BY 1, 2, 3`,
  storage: `SELECT account_id AS account, day::text AS day, '' AS part, bytes::float8 AS amount
              FROM storage_days WHERE bytes <> 0 ORDER BY 1, 2`,
};

const CHAIN = [{ operation: 'auto_enhance' }, { operation: 'upscale' }];

describe('usage by day', () => {
  let harness: Harness;
  let accounts: TestAccount[];

  beforeAll(async () => {
    harness = await startHarness();
    accounts = [await harness.createAccount(), await harness.createAccount()];
  });
  afterAll(() => harness?.close());

  /** Takes a job from its upload to one of its possible ends, concurrently with others. */
  async function live(account: TestAccount, index: number): Promise<void> {
    const completion = harness.app.get(JobCompletion);
    const source = await harness.newSource(account);
    const work = index % 2 === 0 ? { operation: 'upscale' } : { operation: undefined, operations: CHAIN };
    const { id } = await harness.newJob(account, { sourceUrl: source.url, ...work });
    const authorized = { key: account.key };
    if (index % 5 === 0) await harness.jobs.fail(id);
    else if (index % 5 === 1) await harness.call('POST', `/api/ai/enhance/${id}/cancel`, authorized);
    else await harness.jobs.complete(id, Buffer.alloc(100 + index));
    if (index % 5 === 2) await completion.eraseResult(id);
    if (index % 5 === 3) await completion.delete(account.id, id);
    if (index % 3 === 0) await harness.call('DELETE', `/api/ai/sources/${source.id}`, authorized);
  }

  async function expectEqual(): Promise<void> {
    for (const kind of ['enhancements', 'operations', 'storage'] as const) {
      const rows = await harness.rows(FROM_ROWS[kind]);
      expect(rows.length, kind).toBeGreaterThan(0);
      expect(await harness.rows(FROM_DAYS[kind]), kind).toEqual(rows);
    }
  }

  it('finds the job by its key, even while the table is nearly empty', async () => {
    const { url } = await harness.newSource(accounts[0]!);
    const { id } = await harness.newJob(accounts[0]!, { sourceUrl: url, operation: 'upscale' });
    const client = new pg.Client({ connectionString: harness.databaseUrl });
    await client.connect();
    try {
      await client.query('ANALYZE jobs');
      await client.query('BEGIN');
      await client.query(`UPDATE quota_ledger SET job_id = 'moved' WHERE job_id = $1`, [id]);
      await client.query(
        `INSERT INTO quota_ledger (job_id, kind, account_id, period)
         SELECT $1, kind, account_id, period FROM quota_ledger WHERE job_id = 'moved'`,
        [id],
      );
      const { rows } = await client.query(
        `SELECT seq_scan::int AS whole, idx_scan::int AS "byIndex" FROM pg_stat_xact_user_tables WHERE relname = 'jobs'`,
      );
      expect(rows).toEqual([{ whole: 0, byIndex: 1 }]);
    } finally {
      await client.end();
    }
  });

  it('matches the rows under concurrent changes', async () => {
    const before = await harness.rows<{ deadlocks: string }>(
      'SELECT deadlocks::text FROM pg_stat_database WHERE datname = current_database()',
    );
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        accounts.flatMap((account) => [...Array(10).keys()].map((n) => live(account, n + round))),
      );
      await expectEqual();
    }
    const after = await harness.rows(
      'SELECT deadlocks::text FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(after).toEqual(before);
  });

  it('is deleted with the account, even if its last rows changed in the same transaction', async () => {
    const gone = await harness.createAccount();
    await live(gone, 4);
    await harness.rows(
      `WITH freed AS (UPDATE sources SET deleted_at = now() WHERE account_id = $1 AND deleted_at IS NULL)
       DELETE FROM accounts WHERE id = $1`,
      [gone.id],
    );
    expect(await harness.rows('SELECT 1 FROM storage_days WHERE account_id = $1', [gone.id])).toEqual([]);
    await expectEqual();
  });

  it('is backfilled by the migration', async () => {
    // Jobs of several operations did not exist yet.
    await harness.rows('DELETE FROM quota_ledger WHERE enhancements > 1');
    await harness.rows('DELETE FROM jobs WHERE enhancements > 1');
    await harness.rows('TRUNCATE enhancement_days, operation_days, storage_days');
    await harness.rows('CREATE TABLE usage_days_start AS SELECT clock_timestamp() AS at');
    await harness.rows('CREATE TABLE usage_operations_start AS SELECT clock_timestamp() AS at');
    await harness.rows(
      `DELETE FROM schema_migrations WHERE name LIKE 'UsageDaysBackfill%' OR name LIKE 'UsageOperationsBackfill%'`,
    );
    // Between the two migrations, the triggers count it, so the second migration must not.
    await live(accounts[0]!, 4);
    await runMigrations(harness.databaseUrl);
    expect(await harness.rows(`SELECT to_regclass('usage_days_start') AS left`)).toEqual([{ left: null }]);
    await expectEqual();
  });
});
