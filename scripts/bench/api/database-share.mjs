import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DIST } from '../../lib/paths.mjs';
import { load } from '../load.mjs';
import { openStage } from '../stage.mjs';

/**
 * After a checkpoint, PostgreSQL writes each page completely on its first change. Warm-up jobs cause most of these
 * writes.
 */
const WARM_UP_JOBS = 400;
const JOBS = 800;
/** The cost of idle processes is measured separately, because they send statements, too: leases and polls. */
const IDLE_MS = 20_000;
const POLL_MS = 250;

/**
 * Measures what a job costs in the database, from its creation over HTTP to its result. The service has one api, one
 * worker and one dispatcher, no webhook endpoints and no waiting clients. The cost of the idle service is subtracted.
 * @param {(stage: object) => Promise<{ url: string }>} upload stores a small picture
 * @returns statements and bytes of WAL per job, and the statements that jobs use most
 */
export async function measureDatabaseShare(upload) {
  const stage = await openStage({ preload: 'pg_stat_statements' });
  const client = new pg.Client({ connectionString: stage.databaseUrl });
  try {
    await stage.startWorker({ INFERENCE_DEVICE: 'cpu', LOG_LEVEL: 'error' });
    await stage.start(join(DIST, 'main.dispatcher.js'), { LOG_LEVEL: 'error' });
    const source = await upload(stage);
    await client.connect();
    await client.query('CREATE EXTENSION pg_stat_statements');
    const jobs = (count) => completeJobs(stage, client, source, count);
    await jobs(WARM_UP_JOBS);
    await client.query('CHECKPOINT');
    await jobs(WARM_UP_JOBS);
    const idle = await share(client, () => sleep(IDLE_MS));
    return perJob(await share(client, () => jobs(JOBS)), idle);
  } finally {
    await client.end();
    await stage.close();
  }
}

async function completeJobs({ account, api }, client, source, count) {
  await load({
    url: `http://127.0.0.1:${api.port}/api/ai/enhance`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': account.key },
    body: JSON.stringify({ sourceUrl: source.url, operation: 'upscale', level: 'low', cache: false }),
    count,
    concurrency: 16,
    expect: 201,
  });
  for (;;) {
    const { rows } = await client.query(
      `SELECT count(*) FILTER (WHERE status = 'failed') AS failed,
              count(*) FILTER (WHERE status IN ('queued', 'processing')) AS open FROM jobs`,
    );
    if (Number(rows[0].failed) > 0) throw new Error(`${rows[0].failed} jobs failed`);
    if (Number(rows[0].open) === 0) return;
    await sleep(POLL_MS);
  }
}

/**
 * Milliseconds, bytes of WAL, and the statements that other sessions sent during `work`. PostgreSQL also lists the
 * functions of deferred triggers, which run at the commit and which no session sends. They are left out.
 */
async function share(client, work) {
  const { rows: before } = await client.query('SELECT pg_current_wal_insert_lsn() AS lsn');
  await client.query('SELECT pg_stat_statements_reset()');
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  const { rows: statements } = await client.query(
    `SELECT query, calls::int, wal_bytes::float8 AS "walBytes" FROM pg_stat_statements
      WHERE query NOT LIKE '%pg_stat_statements_reset%' AND query NOT LIKE '%AS failed,%'
        AND query NOT LIKE '%NEW.%' ORDER BY calls DESC`,
  );
  const { rows: after } = await client.query(
    'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 AS bytes',
    [before[0].lsn],
  );
  return { ms, walBytes: after[0].bytes, statements };
}

function perJob(busy, idle) {
  const meanwhile = busy.ms / idle.ms;
  const idleCalls = new Map(idle.statements.map(({ query, calls }) => [query, calls * meanwhile]));
  const statements = busy.statements
    .map(({ query, calls, walBytes }) => ({
      query: query.replaceAll(/\s+/g, ' '),
      perJob: (calls - (idleCalls.get(query) ?? 0)) / JOBS,
      walBytesPerJob: walBytes / JOBS,
    }))
    .filter(({ perJob: calls }) => calls > 0.01);
  return {
    statements: statements.reduce((sum, statement) => sum + statement.perJob, 0),
    walBytes: (busy.walBytes - idle.walBytes * meanwhile) / JOBS,
    jobsPerSecond: JOBS / (busy.ms / 1_000),
    mostUsed: statements,
  };
}
