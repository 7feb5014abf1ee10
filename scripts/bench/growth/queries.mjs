import { createHash, randomUUID } from 'node:crypto';
import { built } from '../../lib/built.mjs';
import { consoleQueries } from './console.mjs';
import { retentionQueries } from './retention.mjs';
import { ACCOUNT, BATCH, IDLE_ENDPOINT } from './seed.mjs';
import { rolledBack } from './rolled-back.mjs';

const DAY_MS = 86_400_000;
const ago = (days) => new Date(Date.now() - days * DAY_MS).toISOString();
const KINDS = ['upscale/low/any', 'smooth_skin/low/any', 'auto_enhance/low/any'];

/**
 * The queries that requests, workers, and dispatchers wait for, run through the service's own repositories.
 * @returns names, a function that runs each query once, and a limit in milliseconds where the default does not apply
 */
export async function hotQueries(dataSource) {
  const { Database } = await built('infra/database/database.js');
  const { readConfig } = await built('config/env.js');
  const tools = {
    dataSource,
    config: readConfig({ QUEUE_MAX_PIXELS: '1000000000000' }),
    database: new Database(dataSource),
  };
  return [
    ...(await listQueries(tools)),
    ...(await accountQueries(tools)),
    ...(await queueQueries(tools)),
    ...(await webhookQueries(tools)),
    ...(await retentionQueries(tools)),
    ...(await auditQueries(tools)),
    ...(await consoleQueries(tools)),
  ];
}

async function listQueries({ database, dataSource }) {
  const { JobsRepository } = await built('jobs/jobs.repository.js');
  const { SourcesRepository } = await built('uploads/sources/sources.repository.js');
  const { SourceEntity } = await built('uploads/sources/source.entity.js');
  const { DeliveriesRepository } = await built('webhooks/deliveries/deliveries.repository.js');
  const { EndpointsRepository } = await built('webhooks/endpoints/endpoints.repository.js');
  const { BatchesRepository } = await built('jobs/batches/batches.repository.js');
  const { lowestIdOf } = await built('kernel/ids.js');
  const jobs = new JobsRepository(database);
  const sources = new SourcesRepository(dataSource.getRepository(SourceEntity), database);
  const deliveries = new DeliveriesRepository(database);
  const endpoints = new EndpointsRepository(database);
  const deep = Date.now() - 300 * DAY_MS;
  const jobLists = combinations({
    status: [undefined, 'completed', 'failed', 'processing'],
    operation: [undefined, 'upscale', 'bg_remove'],
    beforeId: [undefined, lowestIdOf('job', deep)],
    createdAfter: [undefined, ago(200)],
    createdBefore: [undefined, ago(100)],
  });
  const deliveryLists = combinations({
    status: [undefined, 'pending', 'succeeded', 'failed'],
    eventType: [undefined, 'job.completed', 'upload.finished'],
    endpointId: [undefined, 'we_0000_1', IDLE_ENDPOINT],
    beforeId: [undefined, lowestIdOf('delivery', deep)],
  });
  const batches = new BatchesRepository(database);
  const batchId = BATCH;
  return [
    ['batches', () => batches.list(ACCOUNT, undefined, 20)],
    ['batches beforeId', () => batches.list(ACCOUNT, lowestIdOf('batch', deep), 20)],
    ['batch', () => batches.find(ACCOUNT, batchId)],
    ['jobs of a batch', () => batches.items(ACCOUNT, batchId, { afterIndex: -1 }, 101)],
    ['jobs batchId', () => jobs.list(ACCOUNT, { batchId }, 20)],
    ['jobs sourceName=none', () => jobs.list(ACCOUNT, { sourceName: 'no such name' }, 20)],
    [
      'jobs status=completed sourceName=none',
      () => jobs.list(ACCOUNT, { status: 'completed', sourceName: 'no such name' }, 20),
    ],
    ...jobLists.map((filter) => [`jobs ${named(filter)}`, () => jobs.list(ACCOUNT, filter, 20)]),
    ...deliveryLists.map((filter) => [
      `deliveries ${named(filter)}${filter.endpointId === IDLE_ENDPOINT ? ' (idle)' : ''}`,
      () => deliveries.list(ACCOUNT, filter, 20),
    ]),
    ['sources', () => sources.list(ACCOUNT, 20, undefined)],
    ['sources beforeId', () => sources.list(ACCOUNT, 20, lowestIdOf('source', deep))],
    ['endpoints', () => endpoints.list(ACCOUNT, 20, undefined)],
  ];
}

async function accountQueries({ database, config }) {
  const { RecentJobsRepository } = await built('models/http/recent-jobs.repository.js');
  const { UsageHistoryRepository } = await built('quotas/history/usage-history.repository.js');
  const { QuotasRepository } = await built('quotas/quotas.repository.js');
  const { SessionsRepository } = await built('auth/sessions/sessions.repository.js');
  const { PrincipalRepository } = await built('auth/principal.repository.js');
  const { apiKeyRows } = await built('auth/keys/api-keys.repository.js');
  const history = new UsageHistoryRepository(database);
  const { UsageExportRepository } = await built('quotas/export/usage-export.repository.js');
  const usage = new UsageExportRepository(database);
  const start = (days) => ({ day: day(days), keyId: '', operation: '' });
  const recent = new RecentJobsRepository(database);
  const sessions = new SessionsRepository(database, config);
  const principals = new PrincipalRepository(database);
  const other = 'acc_0001';
  const day = (days) => new Date(ago(days)).toISOString().slice(0, 10);
  return [
    ['key authenticated', () => principals.authenticate(createHash('sha256').update('7').digest())],
    ['session admitted', () => sessions.admit('0'.repeat(43))],
    ['keys', () => apiKeyRows.list(database, other)],
    ['keys that work', () => apiKeyRows.list(database, ACCOUNT, { isActive: true })],
    ['inactive keys', () => apiKeyRows.list(database, ACCOUNT, { isActive: false, maxRows: 21 })],
    ['number of inactive keys', () => apiKeyRows.countInactive(database, ACCOUNT)],
    ['usage', () => new QuotasRepository(database).usage(ACCOUNT, '2026-01')],
    ['usage history: enhancements', () => history.enhancements(ACCOUNT, day(30))],
    ['usage history: storage', () => history.storageChanges(ACCOUNT, day(30))],
    ['usage export', () => usage.page(ACCOUNT, day(0), start(90))],
    ['usage history: keys', () => history.windows(other)],
    ['dashboard: recent jobs', () => recent.of(ACCOUNT, ['upscale', 'smooth_skin', 'bg_remove'])],
  ];
}

async function queueQueries({ database, config }) {
  const { QueueGauge } = await built('jobs/queue/queue-gauge.js');
  const { QueueWorkRepository } = await built('jobs/queue/queue-work.repository.js');
  const { QueuePositionsRepository } = await built('jobs/updates/queue-positions.repository.js');
  const { FairQueueRepository } = await built('jobs/queue/fair-queue.repository.js');
  const { JobLeaseRepository } = await built('jobs/queue/job-lease.repository.js');
  const { JobMessagesRepository } = await built('jobs/queue/job-messages.repository.js');
  const { JobsRepository } = await built('jobs/jobs.repository.js');
  const { UnroutableJobsRepository } = await built('jobs/queue/unroutable-jobs.repository.js');
  const { ReferencedObjects } = await built('dispatcher/referenced-objects.js');
  const { PROMISED_VERSIONS } = await built('models/serving/promised-versions.js');
  const { ResultCacheRepository } = await built('jobs/cache/result-cache.repository.js');
  const leases = new JobLeaseRepository(database);
  const unserved = new UnroutableJobsRepository(database);
  const queue = new FairQueueRepository(database);
  const [next] = await queue.waiting(KINDS, 1);
  const [last] = await database.query(
    "SELECT id FROM jobs WHERE status = 'queued' ORDER BY turn DESC, id DESC LIMIT 1",
  );
  const keys = Array.from({ length: 500 }, (_, n) => `results/job_${String(n).padStart(32, '0')}.jpg`);
  return [
    ['queue gauge', () => new QueueGauge(config).admit(database, 1)],
    ['queue work (metrics)', () => new QueueWorkRepository(database).queued()],
    ['queued test jobs (metrics)', () => new QueueWorkRepository(database).queuedTestJobs()],
    [
      'result of an equal job',
      async () => {
        const hash = createHash('sha256').update('500001').digest();
        const model = { name: 'm', version: 1 };
        await new ResultCacheRepository().find(database, ACCOUNT, { hash, models: [model], isAsked: true });
      },
    ],
    ['queue position', () => new QueuePositionsRepository(database).of([last.id])],
    ['next jobs of a worker', () => queue.waiting(KINDS, 8)],
    [
      'claim',
      () =>
        rolledBack(database, (tx) =>
          new JobLeaseRepository(tx).claim({ jobId: next.id, token: randomUUID() }, 1_000),
        ),
    ],
    ['sweep: lost', () => leases.lost(500)],
    ['sweep: not enqueued', () => new JobMessagesRepository(database).unenqueued(2_000, 500, new Date(0))],
    ['sweep: expired results', () => new JobsRepository(database).expiredResults(500)],
    ['versions that were promised', () => database.query(PROMISED_VERSIONS)],
    ['sweep: unserved kinds', () => unserved.kinds(300_000)],
    ['sweep: unserved jobs', () => unserved.find(KINDS, 300_000, 500)],
    ['sweep: objects without a row', () => new ReferencedObjects(database).unknownOf(keys)],
  ];
}

async function webhookQueries({ database, config }) {
  const { FanOutRepository } = await built('webhooks/dispatch/fan-out.repository.js');
  const { BacklogRepository } = await built('webhooks/dispatch/backlog.repository.js');
  const { ClaimsRepository } = await built('webhooks/dispatch/claims.repository.js');
  const { recoverSome } = await built('webhooks/deliveries/endpoint-recovery.js');
  const since = ago(0.01);
  return [
    // Every event becomes a row for each of ten endpoints.
    [
      'fan-out of 5 events to 50 deliveries',
      () => rolledBack(database, (tx) => new FanOutRepository(tx, config).fanOut(5)),
    ],
    ['webhook backlog (metrics)', () => new BacklogRepository(database).read()],
    ['endpoints with due deliveries', () => new ClaimsRepository(database).waiting()],
    [
      'claim deliveries',
      () =>
        rolledBack(database, (tx) => new ClaimsRepository(tx).claim(new Map([[IDLE_ENDPOINT, 8]]), 1_000)),
    ],
    ...['failed', 'delayed', 'missed'].map((part) => [
      `recover ${part} deliveries of an endpoint`,
      () => rolledBack(database, (tx) => recoverSome(tx, IDLE_ENDPOINT, { since, part })),
    ]),
  ];
}

/** The lists of the dashboard (by account) and of `npm run admin -- audit`. */
async function auditQueries({ database }) {
  const { auditEvents } = await built('audit/audit-events.repository.js');
  const [{ id: before }] = await database.query('SELECT max(id) * 3 / 4 AS id FROM audit_events');
  const filters = combinations({
    accountId: [undefined, ACCOUNT, 'acc_none'],
    action: [undefined, 'key', 'plan.changed', 'secrets.retired'],
    since: [undefined, new Date(ago(200)), new Date()],
    before: [undefined, before],
  });
  return filters.map((filter) => [
    `audit ${named({ ...filter, since: filter.since && `-${Math.round((Date.now() - filter.since) / DAY_MS)}d` }).replace('accountId', filter.accountId === ACCOUNT ? 'account' : 'account=none')}`,
    () => auditEvents.list(database, { ...filter, limit: 51 }),
  ]);
}

/** Every combination of the given values. */
function combinations(values) {
  return Object.entries(values).reduce(
    (all, [name, choices]) => all.flatMap((one) => choices.map((choice) => ({ ...one, [name]: choice }))),
    [{}],
  );
}

function named(filter) {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return (
    given
      .map(([name, value]) => (/Id$|^created|^before$/.test(name) ? name : `${name}=${value}`))
      .join(' ') || '(all)'
  );
}
