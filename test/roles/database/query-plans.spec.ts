import pg from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDataSource } from '../../../scripts/bench/growth/data-source.mjs';
import { hotQueries } from '../../../scripts/bench/growth/queries.mjs';
import { databaseSize, sizeLines } from '../../../scripts/bench/growth/size.mjs';
import { GrowthSeed } from '../../../scripts/bench/growth/seed.mjs';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { RecordedPlans } from '../../support/database/recorded-plans.js';

const ROWS = 20_000;

/** Tables that grow with every job, request or day. */
const GROWING = [
  'jobs',
  'batches',
  'sources',
  'quota_ledger',
  'events',
  'webhook_deliveries',
  'webhook_attempts',
  'sessions',
  'idempotency_keys',
  'audit_events',
  'enhancement_days',
  'operation_days',
  'storage_days',
];

/** Acceptable scans, because the query needs most rows of the table here. */
const FITTING: Readonly<Record<string, string>> = {
  'usage export: operation_days': 'reads 90 days of the account, which is most of the table',
  'versions that were promised: jobs': 'reads all queued jobs, which are half of the table here',
};

/** The queries of `npm run bench -- growth`. That measures times; this checks only the plans. */
describe('plans of the hot queries', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let dataSource: DataSource;
  let plans: RecordedPlans;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { databaseUrl } = database;
    client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const seed = new GrowthSeed(client);
    await seed.start();
    await seed.growTo(ROWS);
    dataSource = await connectDataSource(databaseUrl);
    plans = new RecordedPlans((dataSource.driver as unknown as { master: pg.Pool }).master);
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await client?.end();
    await database?.drop();
  });

  it('scan no growing table sequentially', async () => {
    const scans: string[] = [];
    const queries = (await hotQueries(dataSource)) as [name: string, once: () => Promise<unknown>][];
    for (const [name, once] of queries) {
      await once();
      const tables = await plans.takeSequentialScans();
      scans.push(...GROWING.filter((table) => tables.has(table)).map((table) => `${name}: ${table}`));
    }
    expect(queries.length).toBeGreaterThan(150);
    expect(scans.toSorted()).toEqual(Object.keys(FITTING).toSorted());
  });

  it('read unfinished jobs by an index where they are a small part of the table', async () => {
    const { PROMISED_VERSIONS } = await import('../../../src/models/serving/promised-versions.js');
    await client.query('SET enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${PROMISED_VERSIONS}`);
    await client.query('RESET enable_seqscan');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('jobs_leased');
    expect(plan).not.toContain('Seq Scan on jobs');
  });

  it('belong to a database whose size and largest tables are printed', async () => {
    const size = await databaseSize(client);
    const names = size.tables.map(({ name }) => name);
    expect(names.slice(0, 2).toSorted()).toEqual(['accounts', 'jobs']);
    const bytes = size.tables.reduce((sum, table) => sum + table.bytes, 0);
    expect(bytes).toBeGreaterThan(size.bytes / 2);
    expect(bytes).toBeLessThan(size.bytes);
    expect(sizeLines([{ jobs: ROWS, ...size }])).toMatch(
      /^20,000 ended jobs and [\d,]+ accounts take \d+ MB: accounts \d+ MB, jobs /,
    );
  });

  it('would show a query without an index', async () => {
    await plans.takeSequentialScans();
    await dataSource.query(`SELECT id FROM jobs WHERE device = $1`, ['none']);
    expect([...(await plans.takeSequentialScans())]).toEqual(['jobs']);
  });
});
