import { randomBytes, randomUUID } from 'node:crypto';
import { built } from '../../lib/built.mjs';
import { connectDataSource } from './data-source.mjs';
import { GrowthSeed } from './seed.mjs';

const JOBS = 300;
const ROUNDS = 12;
const WARM_UP = 2;
const PRINCIPAL = { limits: { storageBytes: 1e15, enhancements: 1e9 }, keyId: 'key_1' };
const PROMISE = { version: 1, scale: 2, producesAlpha: false };

/** Each variant has its own database, so that their rounds can alternate and other load affects them equally. */
const VARIANTS = ['withAll', 'withoutTriggers', 'withoutBoth'];
const ROWS = 10_000;

const ACCOUNTS = ['acc_0000', 'acc_0001'];

/**
 * Measures the cost of the indexes for lists and of the triggers for daily usage: creates and completes jobs with both,
 * without the triggers, and without both, while 20,000 jobs are queued.
 * @param databaseUrl of the server on which the databases are created
 * @returns jobs per second for each variant, the best of several rounds
 */
export async function writeCosts(databaseUrl) {
  const variants = [];
  try {
    for (const name of VARIANTS) variants.push({ name, ...(await variantOf(databaseUrl, name)) });
    return await measure(variants);
  } finally {
    for (const { dataSource } of variants) await dataSource.destroy();
  }
}

async function variantOf(serverUrl, name) {
  const { ensureDatabase } = await built('infra/database/embedded/ensure-database.js');
  const { runMigrations } = await built('infra/database/migrate.js');
  const { ListIndexes1733100000000 } = await built('infra/database/migrations/1733100000000-list-indexes.js');
  const databaseUrl = serverUrl.replace(/[^/]+$/, `writes_${name.toLowerCase()}`);
  await ensureDatabase(databaseUrl);
  await runMigrations(databaseUrl);
  const { withClient } = await built('infra/database/with-client.js');
  await withClient({ connectionString: databaseUrl }, async (client) => {
    const seed = new GrowthSeed(client);
    await seed.start();
    await seed.growTo(ROWS);
  });
  const dataSource = await connectDataSource(databaseUrl);
  if (name !== 'withAll') await dropUsageTriggers(dataSource);
  if (name === 'withoutBoth') await takeBack(dataSource, new ListIndexes1733100000000());
  return { dataSource, flow: await jobFlow(dataSource) };
}

/** Later migrations add triggers with the same functions, so the migration itself cannot be reverted. */
async function dropUsageTriggers(dataSource) {
  const triggers = await dataSource.query(
    `SELECT t.tgname AS name, t.tgrelid::regclass::text AS "table" FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE p.proname IN ('add_enhancement_day', 'add_source_day', 'add_result_day')`,
  );
  if (triggers.length === 0) throw new Error('There are no triggers for daily usage.');
  for (const { name, table } of triggers) await dataSource.query(`DROP TRIGGER ${name} ON ${table}`);
}

/** Uses a connection that returns to the pool, so that all measurements have the same number of connections. */
async function takeBack(dataSource, migration) {
  const runner = dataSource.createQueryRunner();
  try {
    await migration.down(runner);
  } finally {
    await runner.release();
  }
}

const sourceOf = (accountId) => `src_of_${accountId}`;

/** A source for each account: a job can only be created from its own. */
async function addSources(dataSource) {
  await dataSource.query(
    `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
     SELECT id, account, 'sources/' || id, 'jpeg', 1000, 1000, 100000, repeat('0', 64), now()
       FROM unnest($1::text[], $2::text[]) AS s (id, account)`,
    [ACCOUNTS.map(sourceOf), ACCOUNTS],
  );
}

/** The repositories that the api and the worker use, without HTTP and pixels. */
async function jobFlow(dataSource) {
  const { Database } = await built('infra/database/database.js');
  const { JobCreationRepository } = await built('jobs/creation/job-creation.repository.js');
  const { JobLeaseRepository } = await built('jobs/queue/job-lease.repository.js');
  const { JobsRepository } = await built('jobs/jobs.repository.js');
  const { JobCompletion } = await built('jobs/job-completion.js');
  const { QuotasRepository } = await built('quotas/quotas.repository.js');
  const { JobEndRecorder } = await built('jobs/job-end-recorder.js');
  const { JobEndMetrics } = await built('infra/telemetry/job-end-metrics.js');
  const { Metrics } = await built('infra/telemetry/metrics.js');
  const { newId } = await built('kernel/ids.js');
  const { stepColumns } = await built('jobs/job-step.js');
  const { USUAL_TERMS } = await built('jobs/creation/job-terms.js');
  await addSources(dataSource);
  const database = new Database(dataSource);
  const creation = new JobCreationRepository();
  const leases = new JobLeaseRepository(database);
  const presenter = { present: ({ id, status }) => ({ id, status }) };
  const quotas = new QuotasRepository(database);
  const jobs = new JobsRepository(database);
  const recorder = new JobEndRecorder(presenter, undefined, new JobEndMetrics(new Metrics('bench')));
  const completion = new JobCompletion(database, leases, jobs, quotas, recorder);
  const period = new Date().toISOString().slice(0, 7);
  return {
    create: async (accountId) => {
      const id = newId('job');
      const step = { operation: 'upscale', level: 'low', promise: PROMISE, pixels: 1_000_000 };
      const job = {
        id,
        sourceId: sourceOf(accountId),
        sourcePixels: step.pixels,
        output: {},
        metadata: {},
        preset: null,
        requestHash: randomBytes(32),
        period,
        createdAt: new Date(),
        ...stepColumns([step], false),
        ...USUAL_TERMS,
      };
      const outcome = await creation.create(database, { ...PRINCIPAL, accountId }, job, { id });
      if (outcome !== 'created') throw new Error(`the job was not created: ${outcome}`);
      return id;
    },
    complete: async (jobId) => {
      const lease = { jobId, token: randomUUID() };
      await leases.claim(lease, 60_000);
      const result = {
        key: `results/${jobId}`,
        format: 'jpeg',
        width: 1,
        height: 1,
        bytes: 1_000,
        sha256: '',
        applied: {},
      };
      const work = {
        model: { name: 'm', version: 1 },
        steps: null,
        device: 'cpu',
        precision: 'float32',
        timings: {},
        result,
        retentionSeconds: 60,
      };
      if (!(await completion.complete(lease, work))) throw new Error('the job was not completed');
    },
  };
}

async function measure(variants) {
  const rates = Object.fromEntries(variants.map(({ name }) => [name, { created: 0, completed: 0 }]));
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const { name, flow } of variants) {
      const ids = [];
      const created = await rate(async (account) => void ids.push(await flow.create(account)));
      const completed = await rate(async () => flow.complete(ids.pop()));
      if (round < 0) continue;
      rates[name].created = Math.max(rates[name].created, created);
      rates[name].completed = Math.max(rates[name].completed, completed);
    }
  }
  return rates;
}

/** Jobs per second of two accounts in parallel. */
async function rate(once) {
  const startedAt = performance.now();
  await Promise.all(
    ACCOUNTS.map(async (account) => {
      for (let n = 0; n < JOBS / 2; n += 1) await once(account);
    }),
  );
  return JOBS / ((performance.now() - startedAt) / 1_000);
}

export function writeCostLines({ withAll, withoutTriggers, withoutBoth }) {
  const percent = (one, other) => `${((100 * one) / other).toFixed(0)}%`;
  const line = (name, kind) =>
    `${name}: ${percent(withAll[kind], withoutTriggers[kind])} of the rate without triggers for daily usage, ${percent(withAll[kind], withoutBoth[kind])} of the rate without these and the indexes for lists\n`;
  return line('jobs created', 'created') + line('jobs claimed and completed', 'completed');
}
