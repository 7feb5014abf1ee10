import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/models/repository/catalog.js';
import type { ModelPromise } from '../../../src/models/repository/model-promise.js';
import { workKind } from '../../../src/models/repository/work-kind.js';
import { Database } from '../../../src/infra/database/database.js';
import { FairQueueRepository } from '../../../src/jobs/queue/fair-queue.repository.js';
import { QueuePositionsRepository } from '../../../src/jobs/updates/queue-positions.repository.js';
import { JobCreationRepository, type NewJob } from '../../../src/jobs/creation/job-creation.repository.js';
import { UnroutableJobsRepository } from '../../../src/jobs/queue/unroutable-jobs.repository.js';
import { newId } from '../../../src/kernel/ids.js';
import type { Principal } from '../../../src/kernel/principal.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import { eventually, LASTING, type Look } from '../../support/roles/flow-wait.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

/** A node of a query plan as PostgreSQL reports it. */
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const OTHERS = 50_000;
const PART = 5_000;

describe('kinds of jobs', () => {
  let harness: Harness;
  let account: TestAccount;
  let kinds: readonly string[];

  beforeAll(async () => {
    harness = await startHarness();
    account = await harness.createAccount();
    kinds = harness.app.get(Catalog).kinds();
  });
  afterAll(() => harness?.close());

  /** Inserts many jobs of an operation that the committed models lack, all ahead of any other job. */
  async function othersLike(id: string): Promise<void> {
    // Inserted in parts, so that no statement times out on a busy machine.
    for (let first = 1; first <= OTHERS; first += PART) {
      await harness.rows(
        `INSERT INTO jobs (id, account_id, source_id, operation, level, output, metadata, promise, status,
                           source_pixels, period, created_at, turn)
         SELECT 'job_' || $4 || n, account_id, source_id, 'sharpen', level, output, metadata, promise, status,
                source_pixels, period, created_at, -n
           FROM jobs, generate_series($2::int, $3::int) AS n WHERE id = $1`,
        [id, first, first + PART - 1, randomUUID()],
      );
    }
    await eventually('almost every page to be visible to all transactions', vacuumed, LASTING);
  }

  /**
   * VACUUM skips what a transaction that runs meanwhile may not see, for example an ANALYZE by autovacuum. The planner
   * then expects visits to the table, and prefers a bitmap scan.
   */
  async function vacuumed(): Promise<Look<true>> {
    await harness.rows('VACUUM ANALYZE jobs');
    const [seen] = await harness.rows<{ pages: number; visible: number }>(
      `SELECT relpages AS pages, relallvisible AS visible FROM pg_class WHERE oid = 'jobs'::regclass`,
    );
    return seen!.pages > 0 && seen!.visible >= 0.99 * seen!.pages ? { found: true } : { seen };
  }

  /** The plan of a repository's query, with its actual row counts. */
  async function planOf(ask: (explaining: Database) => Promise<unknown>): Promise<readonly PlanNode[]> {
    let plan: PlanNode | undefined;
    const explaining = {
      query: async ({ text }: { text: string }, values: readonly unknown[]) => {
        const [row] = await harness.app
          .get(Database)
          .query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
            `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
            values,
          );
        plan = row!['QUERY PLAN'][0].Plan;
        return [];
      },
    };
    await ask(explaining as unknown as Database);
    return nodesOf(plan!).filter((node) => node['Relation Name'] === 'jobs');
  }

  /** Rows of the table that a plan has read. */
  const looked = (nodes: readonly PlanNode[]): number =>
    nodes.reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    );

  it('are the same in SQL as in the catalog, with or without a promise', async () => {
    const { id } = await harness.newJob(account, { operation: 'upscale', level: 'high' });
    const repository = new FairQueueRepository(harness.app.get(Database));
    const only = async (kind: string) => (await repository.waiting([kind], 5)).map((job) => job.id);
    const { promise } = (
      await harness.rows<{ promise: never }>('SELECT promise FROM jobs WHERE id = $1', [id])
    )[0]!;
    expect(await only(workKind('upscale', 'high', promise))).toEqual([id]);
    expect(await only(workKind('upscale', 'high', { scale: 3, producesAlpha: false }))).toEqual([]);
    await harness.rows('UPDATE jobs SET promise = NULL WHERE id = $1', [id]);
    expect(await only(workKind('upscale', 'high', promise))).toEqual([]);
    expect(await only(workKind('upscale', 'high', null))).toEqual([id]);
    expect((await repository.waiting(kinds, 5)).map((job) => job.id)).toEqual([id]);
    await harness.jobs.complete(id);
  });

  it('let a worker find its job among 50,000 others with a few index lookups', async () => {
    const { id } = await harness.newJob(account, { operation: 'auto_enhance' });
    await othersLike(id);
    const queue = new FairQueueRepository(harness.app.get(Database));
    expect((await queue.waiting(kinds, 1)).map((job) => job.id)).toEqual([id]);
    const nodes = await planOf((database) => new FairQueueRepository(database).waiting(kinds, 1));
    expect(new Set(nodes.map((node) => node['Index Name']))).toEqual(new Set(['jobs_queued_kind']));
    // Three kinds are waiting: one lookup finds each, and one more the first job that the worker can run.
    expect(looked(nodes)).toBeLessThanOrEqual(5);
    await harness.jobs.complete(id);
    expect(await queue.waiting(kinds, 1)).toEqual([]);
    const none = await planOf((database) => new FairQueueRepository(database).waiting(kinds, 1));
    expect(looked(none)).toBeLessThanOrEqual(2);
  });

  it('let the sweeper find unserved jobs without reading the queue', async () => {
    const kindsFor = (patienceMs: number) => (database: Database) =>
      new UnroutableJobsRepository(database).kinds(patienceMs);
    const find = (patienceMs: number) => (database: Database) =>
      new UnroutableJobsRepository(database).find(unserved, patienceMs, 500);
    const row = {
      id: 'wrk_a',
      host: 'here',
      pid: 1,
      device: 'cpu',
      // New jobs are still offered everything in the catalog.
      operations: harness.app.get(Catalog).operations(),
      versions: [],
      refusals: [],
    };
    await new ModelWorkersRepository(harness.app.get(Database)).announce({ ...row, kinds });
    expect(looked(await planOf(kindsFor(60_000)))).toBeLessThanOrEqual(3);
    const unserved = await new UnroutableJobsRepository(harness.app.get(Database)).kinds(0);
    expect(unserved).toHaveLength(1);
    // With no patience, everything is unserved, and no more rows are read than returned.
    const nodes = await planOf(find(0));
    expect(new Set(nodes.map((node) => node['Index Name']))).toEqual(new Set(['jobs_queued_kind']));
    expect(looked(nodes)).toBeLessThanOrEqual(503);
  });

  it('let queue positions be counted from an index', async () => {
    const nodes = await planOf(async (explaining) => {
      await new QueuePositionsRepository(explaining).of(['job_nobody']);
    });
    expect(nodes.map((node) => node['Index Name'])).toEqual(['jobs_waiting_steps', 'jobs_pkey', 'jobs_turn']);
  });

  it('let a new job get its turn with a few lookups, however many wait', async () => {
    const { id } = await harness.newJob(account, { operation: 'auto_enhance' });
    await harness.rows('UPDATE job_clock SET turn = turn + 1000000000');
    const [template] = await harness.rows<{ source: string; promise: ModelPromise; period: string }>(
      'SELECT source_id AS source, promise, period FROM jobs WHERE id = $1',
      [id],
    );
    const job: NewJob = {
      id: newId('job'),
      sourceId: template!.source,
      operation: 'auto_enhance',
      level: 'medium',
      output: { format: 'jpeg' } as NewJob['output'],
      metadata: {},
      promise: template!.promise,
      steps: null,
      enhancements: 1,
      workPixels: null,
      preset: null,
      sourcePixels: 1_000,
      callbackUrl: null,
      cancelAt: null,
      expiresIn: null,
      retention: null,
      requestHash: Buffer.alloc(32),
      period: template!.period,
      createdAt: new Date(),
    };
    const principal = {
      accountId: account.id,
      keyId: account.keyId,
      limits: { storageBytes: 2 ** 40, enhancements: 1_000_000 },
    } as Principal;
    const nodes = await planOf((database) =>
      // Only the plan matters: the explaining database returns no rows.
      new JobCreationRepository().create(database, principal, job, {}).catch(() => undefined),
    );
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(nodes.map((node) => node['Index Name'])).toContain('jobs_queued_kind');
    expect(looked(nodes)).toBeLessThanOrEqual(20);
    for (const waiting of [id, job.id]) await harness.jobs.complete(waiting);
  });
});
