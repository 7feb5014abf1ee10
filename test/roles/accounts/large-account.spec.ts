import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccountErasureRepository } from '../../../src/accounts/account-erasure.repository.js';
import { AccountSuspension } from '../../../src/accounts/account-suspension.js';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import { Database } from '../../../src/infra/database/database.js';
import { KEYS_PER_BATCH } from '../../../src/infra/database/key-batches.js';
import { refuseLargeChanges } from '../../support/database/large-changes.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';

/** Of every kind. The last batch is not full. */
const ROWS = 2 * KEYS_PER_BATCH + 3;

/** Their rows grow with the number of jobs. */
const TABLES = ['jobs', 'sources', 'events', 'webhook_deliveries', 'webhook_attempts', 'quota_ledger'];

const FILL = [
  `INSERT INTO accounts (id, email, plan) VALUES ('acc_1', 'a@example.org', 'business')`,
  `INSERT INTO webhook_endpoints
     (id, account_id, url, events, metadata, enabled, sealed_secret, previous_secrets, created_at, updated_at)
   VALUES ('we_1', 'acc_1', 'https://a.example', '{job.completed}', '{}', true, '', '[]', now(), now())`,
  `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
   SELECT 'src_' || i, 'acc_1', 'sources/' || i, 'png', 1, 1, 6, 'ab', now() FROM generate_series(1, ${ROWS}) i`,
  `INSERT INTO jobs
     (id, account_id, source_id, operation, level, output, metadata, status, source_pixels, period, created_at)
   SELECT 'job_' || i, 'acc_1', 'src_' || i, 'upscale', 'low', '{}', '{}', 'queued', 1, '2026-01', now()
     FROM generate_series(1, ${ROWS}) i`,
  `INSERT INTO quota_ledger (job_id, kind, account_id, period)
   SELECT id, 'reserve', account_id, period FROM jobs`,
  `INSERT INTO events (id, account_id, type, data, created_at)
   SELECT 'evt_' || i, 'acc_1', 'job.completed', '{}', now() FROM generate_series(1, ${ROWS}) i`,
  `INSERT INTO webhook_deliveries
     (id, account_id, endpoint_id, event_id, event_type, url, status, created_at)
   SELECT 'dlv_' || id, account_id, 'we_1', id, type, 'https://a.example', 'succeeded', now() FROM events`,
  `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms)
   SELECT id, 1, now(), 1 FROM webhook_deliveries`,
];

const LOG = `
  INSERT INTO audit_events (account_id, action, actor_kind, actor_id, address, details)
  SELECT account_id, 'key.created', 'person', 'acc_1', '192.0.2.1', '{"name":"Ada"}'
    FROM unnest('{acc_1,org_1}'::text[]) AS account_id, generate_series(1, ${ROWS})`;

/** Of the ledger, which has two for each job. */
const MAX_CHANGED = 2 * KEYS_PER_BATCH;

describe('an account with more rows than one statement may change', () => {
  let created: TestDatabase;
  let dataSource: DataSource;
  let database: Database;

  beforeEach(async () => {
    created = await createTestDatabase();
    const { databaseUrl } = created;
    dataSource = await createDataSource({ databaseUrl, poolSize: 2, applicationName: 'spec' }).initialize();
    database = new Database(dataSource);
    for (const statement of [...FILL, ...refuseLargeChanges(TABLES, MAX_CHANGED)])
      await database.query(statement);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await created.drop();
  });

  const count = async (rows: string): Promise<number> =>
    (await database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${rows}`))[0]!.n;

  it('is deleted, and its objects are recorded', async () => {
    for (const table of TABLES) expect(await count(table), table).toBe(ROWS);
    await database.transaction((tx) => new AccountErasureRepository().erase(tx, 'acc_1'));
    for (const table of [...TABLES, 'accounts']) expect(await count(table), table).toBe(0);
    expect(await count('object_erasures')).toBe(2 * ROWS);
  });

  it('is deleted, and its events in every audit log lose personal data', async () => {
    await database.query(LOG);
    for (const statement of refuseLargeChanges(['audit_events'], KEYS_PER_BATCH).slice(1))
      await database.query(statement);
    await database.transaction((tx) => new AccountErasureRepository().erase(tx, 'acc_1'));
    expect(await count(`audit_events WHERE account_id = 'acc_1' AND action = 'key.created'`)).toBe(ROWS);
    expect(await count('audit_events WHERE address IS NOT NULL')).toBe(0);
    expect(await count(`audit_events WHERE account_id = 'acc_1' AND details <> '{}'`)).toBe(0);
    // They belong to the organization.
    expect(await count(`audit_events WHERE account_id = 'org_1' AND details <> '{}'`)).toBe(ROWS);
  });

  it('is suspended, and all of its jobs are canceled', async () => {
    await database.query(`UPDATE jobs SET cancel_at = '2026-01-01' WHERE id = 'job_1'`);
    await database.query(`UPDATE jobs SET cancel_at = now() + interval '1 day' WHERE id = 'job_2'`);
    expect(await new AccountSuspension(database).suspend('acc_1', 'Test')).toEqual(['acc_1']);
    expect(await count(`jobs WHERE cancel_at = (SELECT suspended_at FROM accounts)`)).toBe(ROWS - 1);
  });
});
