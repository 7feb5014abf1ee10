import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../../../src/infra/telemetry/metrics.js';
import { JobLeaseRepository } from '../../../src/jobs/queue/job-lease.repository.js';
import { UnroutableJobs } from '../../../src/jobs/queue/unroutable-jobs.js';
import { CuttableProxy } from '../../support/network/cuttable-proxy.js';
import { jobSweepsOf } from '../../support/dispatcher/job-sweeps.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { isDatabaseUnavailable } from '../../../src/infra/database/database-errors.js';

Logger.overrideLogger(false);

describe('an expired lease', () => {
  let proxy: CuttableProxy;
  let harness: Harness;

  beforeAll(async () => {
    harness = await startHarness({
      databaseUrl: async (real) => {
        proxy = await CuttableProxy.start(real);
        return proxy.urlOf(real);
      },
    });
  });
  afterAll(async () => {
    await harness?.close();
    await proxy?.close();
  });

  const sweeper = (jobLeaseMs: number) => jobSweepsOf(harness, { jobLeaseMs });

  async function expired({ attempts = 0 } = {}): Promise<string> {
    const { id } = await harness.newJob(await harness.createAccount());
    await harness.jobs.claim(id);
    await harness.rows(
      `UPDATE jobs SET lease_expires_at = now() - interval '1 second', attempts = $2 WHERE id = $1`,
      [id, attempts],
    );
    return id;
  }

  async function statusOf(id: string): Promise<string | undefined> {
    return (await harness.rows<{ status: string }>('SELECT status FROM jobs WHERE id = $1', [id]))[0]?.status;
  }

  it('requeues the job only after the sweeper has run for the duration of a lease', async () => {
    const id = await expired();
    await sweeper(60_000).sweep();
    expect(await statusOf(id)).toBe('processing');
    await sweeper(0).sweep();
    expect(await statusOf(id)).toBe('queued');
  });

  it('ends the job after its last attempt, and counts it', async () => {
    const lost = async () =>
      (await harness.app.get(Metrics).text()).match(
        /^ies_jobs_ended_total\{.*error="worker_lost".*\} (\d+)$/m,
      )?.[1];
    expect(await lost()).toBe('0');
    const id = await expired({ attempts: 3 });
    await sweeper(0).sweep();
    expect(await statusOf(id)).toBe('failed');
    expect(await lost()).toBe('1');
  });

  it('that its worker renews while the sweeper works through its list is left alone, also on the last attempt', async () => {
    const { id } = await harness.newJob(await harness.createAccount());
    const lease = await harness.jobs.claim(id);
    await harness.rows(
      `UPDATE jobs SET lease_expires_at = now() - interval '1 second', attempts = 3 WHERE id = $1`,
      [id],
    );
    const leases = harness.app.get(JobLeaseRepository);
    const lost = leases.lost.bind(leases);
    const read = vi.spyOn(leases, 'lost').mockImplementation(async (limit) => {
      const found = await lost(limit);
      expect(found.map((job) => job.id)).toContain(id);
      await harness.jobs.progress(lease, 0.5);
      return found;
    });
    await sweeper(0).sweep();
    read.mockRestore();
    expect(await statusOf(id)).toBe('processing');
    expect(await harness.jobs.completeLease(lease, Buffer.from('result'))).toBe(true);
  });

  it('does not count against a job while the database was down', async () => {
    const settled = sweeper(250);
    const id = await expired();
    await eventually('the sweeper to trust leases', async () => {
      await settled.sweep();
      const status = await statusOf(id);
      return status === 'queued' ? { found: true } : { seen: status };
    });
    const innocent = await expired();
    await proxy.cut();
    const startAnew = vi.spyOn(UnroutableJobs.prototype, 'startAnew');
    expect(isDatabaseUnavailable(await settled.sweep().catch((reason: unknown) => reason))).toBe(true);
    expect(startAnew, 'what was unserved before counts no more').toHaveBeenCalledOnce();
    startAnew.mockRestore();
    await proxy.mend();
    let swept = 0;
    await eventually('the job to be put back', async () => {
      // The pool may still hand out a broken connection; such a round counts as an outage, too.
      const error: unknown = await settled.sweep().catch((reason: unknown) => reason);
      const status = await statusOf(innocent).catch(() => 'unknown');
      if (error === undefined && status === 'processing') swept += 1;
      return status === 'queued' ? { found: true } : { seen: status };
    });
    expect(swept, 'rounds that left the job to its worker').toBeGreaterThan(0);
  });
});
