import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Catalog } from '../../../src/models/repository/catalog.js';
import { workKind } from '../../../src/models/repository/work-kind.js';
import type { Config } from '../../../src/config/env.js';
import { CONFIG } from '../../../src/config/tokens.js';
import { Database } from '../../../src/infra/database/database.js';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { JobLeaseRepository } from '../../../src/jobs/queue/job-lease.repository.js';
import { UnroutableJobs } from '../../../src/jobs/queue/unroutable-jobs.js';
import { UnroutableJobsRepository } from '../../../src/jobs/queue/unroutable-jobs.repository.js';
import {
  ModelWorkersRepository,
  WORKER_GONE_MS,
} from '../../../src/models/serving/model-workers.repository.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

Logger.overrideLogger(false);

const PATIENCE_MS = 120_000;
/** Beyond and within the patience. */
const [LONG_AGO, LATELY] = ['3 minutes', '1 minute'];

describe('a queued job that no worker can run as promised', () => {
  let harness: Harness;
  let account: TestAccount;
  let workers: ModelWorkersRepository;
  let unroutable: UnroutableJobs;
  let jobId: string;
  /** How far the clock of this process is ahead. */
  let passedMs = 0;

  const nowMs = performance.now.bind(performance);
  const service = (): UnroutableJobs =>
    new UnroutableJobs(
      new UnroutableJobsRepository(harness.app.get(Database)),
      harness.app.get(JobLeaseRepository),
      harness.app.get(JobCompletion),
      { ...harness.app.get<Config>(CONFIG), jobUnservedMs: PATIENCE_MS },
    );

  beforeAll(async () => {
    harness = await startHarness();
    account = await harness.createAccount();
    await harness.listen(account);
    workers = new ModelWorkersRepository(harness.app.get(Database));
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs() + passedMs);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await harness?.close();
  });

  beforeEach(async () => {
    unroutable = service();
    ({ id: jobId } = await harness.newJob(account, { operation: 'upscale', level: 'low' }));
    await harness.rows(`UPDATE jobs SET created_at = now() - $2::interval WHERE id = $1`, [jobId, LONG_AGO]);
  });
  afterEach(async () => {
    await harness.rows('DELETE FROM model_workers');
    await harness.rows('DELETE FROM jobs WHERE id = $1', [jobId]);
  });

  const usedOf = async (): Promise<number> => {
    const { body } = await harness.call('GET', '/api/usage', { key: account.key });
    return (body as { enhancements: { used: number } }).enhancements.used;
  };

  /** The status of the job after a round every ten seconds. */
  async function status(lookingForMs = WORKER_GONE_MS + 10_000): Promise<string> {
    for (let ms = 0; ms <= lookingForMs; ms += 10_000) {
      await unroutable.end();
      passedMs += 10_000;
    }
    return (await harness.rows<{ status: string }>('SELECT status FROM jobs WHERE id = $1', [jobId]))[0]!
      .status;
  }

  /** Announces a live worker that started long ago and serves these kinds, unless overridden. */
  async function worker(
    id: string,
    kinds: readonly string[],
    { seen = '0 seconds', started = LONG_AGO, state = 'serving' } = {},
  ): Promise<void> {
    // This does not change what is offered to new jobs.
    const operations = harness.app.get(Catalog).operations();
    const nothing = { versions: [], refusals: [] };
    const row = { id, host: 'here', pid: 1, device: 'cpu', operations, ...nothing, kinds };
    await workers.announce(row);
    await harness.rows(
      `UPDATE model_workers SET seen_at = now() - $2::interval, started_at = now() - $3::interval, state = $4
        WHERE id = $1`,
      [id, seen, started, state],
    );
  }

  /** Kinds of everything except the job. */
  const others = (): readonly string[] =>
    harness.app
      .get(Catalog)
      .kinds()
      .filter((kind) => !kind.startsWith('upscale/low'));
  const wanted = workKind('upscale', 'low', { scale: 2, producesAlpha: false });

  it('fails with a message, a refund and an event once the last capable worker is long gone', async () => {
    const before = await usedOf();
    await worker('other', others());
    await worker('gone', [wanted], { seen: LONG_AGO });
    expect(await status()).toBe('failed');
    const { body } = await harness.call('GET', `/api/ai/enhance/${jobId}`, { key: account.key });
    expect(body).toMatchObject({
      error: {
        code: 'processing_failed',
        message:
          'The model version that this job needs is no longer available for "upscale". Create the job again.',
      },
    });
    expect(await usedOf()).toBe(before - 1);
    const events = await harness.rows(
      `SELECT 1 FROM events WHERE type = 'enhancement.failed' AND data->'job'->>'id' = $1`,
      [jobId],
    );
    expect(events).toHaveLength(1);
  });

  it.each([
    ['a worker that can run it serves', { seen: '20 seconds' }],
    ['one that can died a minute ago', { seen: LATELY }],
    ['one that can drains', { seen: LATELY, state: 'draining' }],
  ])('stays queued while %s', async (_, how) => {
    await worker('other', others());
    await worker('capable', [...others(), wanted], how);
    expect(await status()).toBe('queued');
  });

  it('stays queued while a worker of an earlier version, which reports no kinds, is alive', async () => {
    await worker('other', others());
    await worker('earlier', []);
    expect(await status()).toBe('queued');
  });

  it('stays queued until some worker has been there for long enough', async () => {
    await worker('gone', others(), { seen: LONG_AGO });
    expect(await status()).toBe('queued');
    await worker('new', others(), { started: LATELY });
    expect(await status()).toBe('queued');
    await worker('old', others());
    expect(await status()).toBe('failed');
  });

  it('stays queued until it has waited for long enough itself', async () => {
    await harness.rows(`UPDATE jobs SET created_at = now() - $2::interval WHERE id = $1`, [jobId, LATELY]);
    await worker('other', others());
    expect(await status()).toBe('queued');
  });

  it('stays queued until this process has long enough seen no capable worker', async () => {
    await worker('other', others());
    expect(await status(WORKER_GONE_MS - 10_000)).toBe('queued');
    // A capable worker appears briefly, which resets the earlier observations.
    await worker('capable', [wanted]);
    expect(await status(0)).toBe('queued');
    await harness.rows(`DELETE FROM model_workers WHERE id = 'capable'`);
    expect(await status(WORKER_GONE_MS - 10_000)).toBe('queued');
    expect(await status(10_000)).toBe('failed');
  });

  it('stays queued after a database outage, until its worker could send a heartbeat', async () => {
    await worker('other', others());
    await worker('capable', [...others(), wanted]);
    expect(await status(0)).toBe('queued');
    // Everything stood still for three minutes; only one of the two workers has sent a heartbeat since.
    await harness.rows(`UPDATE model_workers SET seen_at = now() - $1::interval WHERE id = 'capable'`, [
      LONG_AGO,
    ]);
    unroutable.startAnew();
    expect(await status(WORKER_GONE_MS - 20_000)).toBe('queued');
    await harness.rows(`UPDATE model_workers SET seen_at = now()`);
    expect(await status()).toBe('queued');
  });

  it('stays queued after a pause of the sweeper, whatever was seen before', async () => {
    await worker('other', others());
    expect(await status(WORKER_GONE_MS - 10_000)).toBe('queued');
    passedMs += 180_000;
    expect(await status(0)).toBe('queued');
    expect(await status()).toBe('failed');
  });

  it('fails without a turn and without an attempt', async () => {
    await harness.rows('UPDATE jobs SET turn = 1e15 WHERE id = $1', [jobId]);
    const clock = () => harness.rows('SELECT turn FROM job_clock');
    const before = await clock();
    await worker('other', others());
    expect(await status()).toBe('failed');
    expect(await clock()).toEqual(before);
    expect(await harness.rows('SELECT attempts, started_at FROM jobs WHERE id = $1', [jobId])).toEqual([
      { attempts: 0, started_at: null },
    ]);
    const again = await harness.newJob(account, { operation: 'upscale', level: 'low' });
    const [{ turn }] = (await harness.rows<{ turn: string }>('SELECT turn FROM jobs WHERE id = $1', [
      again.id,
    ])) as [{ turn: string }];
    expect(Number(turn)).toBeLessThan(1e15);
    await harness.jobs.complete(again.id);
  });

  it('is not taken from a worker that has claimed it in the meantime', async () => {
    await worker('other', others());
    const repository = new UnroutableJobsRepository(harness.app.get(Database));
    const kinds = await repository.kinds(PATIENCE_MS);
    const found = await repository.find(kinds, PATIENCE_MS, 10);
    expect(found.map(({ id }) => id)).toEqual([jobId]);
    const lease = await harness.jobs.claim(jobId);
    vi.spyOn(UnroutableJobsRepository.prototype, 'find').mockResolvedValueOnce(found);
    expect(await status()).toBe('processing');
    expect(await harness.jobs.completeLease(lease, Buffer.from('pixels'))).toBe(true);
  });
});
