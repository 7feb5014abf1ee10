import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import type { ModelRoute } from '../catalog/model-route.js';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { JobLeaseRepository, type Lease } from '../jobs/job-lease.repository.js';
import type { JobWithSource } from '../jobs/job-presenter.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { AppError } from '../kernel/app-error.js';
import type { JobRun } from './job-run.js';
import { LeaseKeeper, RunStopped } from './lease-keeper.js';
import { MemoryBudget } from './memory-budget.js';
import { patiently } from './patience.js';
import { runPipeline } from './pipeline.js';
import { Stopwatch } from './stopwatch.js';
import { Tools } from './tools.js';
import { discardResult } from './unwanted-result.js';

/** Takes one job from its id to its end. */
@Injectable()
export class JobRunner {
  private readonly logger = new Logger('jobs');
  private readonly budget: MemoryBudget;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly leases: JobLeaseRepository,
    private readonly keeper: LeaseKeeper,
    private readonly catalog: Catalog,
    private readonly tools: Tools,
    @Inject(CONFIG) config: Config,
  ) {
    this.budget = new MemoryBudget(config.workerMemoryBytes);
  }

  /**
   * Runs a job if it is still queued. Resolves in every case that is settled in the database; what it
   * throws (the database away) is left to the lease, which runs out.
   */
  async run(jobId: string): Promise<void> {
    const job = await this.jobs.findById(jobId);
    if (job === undefined || job.status !== 'queued' || job.deletedAt !== null) return;
    const route = this.catalog.route(job.operation, job.level);
    await this.budget.within(estimatedBytes(job, route), async () => {
      const lease: Lease = { jobId, token: randomUUID() };
      const claim = await this.leases.claim(lease, this.tools.config.jobLeaseMs);
      if (claim !== undefined)
        await this.work({ ...job, attempts: claim.attempt, claims: claim.number }, lease, route);
    });
  }

  private async work(job: JobWithSource, lease: Lease, route: ModelRoute | undefined): Promise<void> {
    const abort = new AbortController();
    if (route === undefined) {
      const detail = `No model serves the operation "${job.operation}" any more.`;
      await this.fail(lease, new AppError('processing_failed', { detail }), abort.signal);
      return;
    }
    const { signal } = abort;
    const run: JobRun = {
      job,
      lease,
      claim: job.claims,
      route,
      signal,
      stopwatch: new Stopwatch(),
      progress: 0,
    };
    this.keeper.keep(run, abort);
    try {
      await runPipeline(run, this.tools);
    } catch (error) {
      await this.settle(run, error);
    } finally {
      this.keeper.drop(run);
    }
  }

  private async settle(run: JobRun, error: unknown): Promise<void> {
    const reason: unknown = run.signal.reason;
    if (reason instanceof RunStopped) {
      // Draining has given the lease back already, unless the database was away then.
      if (reason.why === 'drain') await this.leases.release(run.lease);
      await discardResult(run, this.tools);
      this.logger.log({ jobId: run.job.id, why: reason.why }, 'run stopped');
      return;
    }
    await this.fail(run.lease, toAppError(error), run.signal);
    await discardResult(run, this.tools);
    const expected = error instanceof AppError;
    this.logger[expected ? 'warn' : 'error'](
      { jobId: run.job.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      'job failed',
    );
  }

  private async fail(lease: Lease, error: AppError, signal: AbortSignal): Promise<void> {
    await patiently(signal, () =>
      this.tools.endings.fail(lease.jobId, lease.token, error.code, error.detail),
    );
  }
}

function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('processing_failed', { cause: error });
}

/**
 * Source, result and what the encoder keeps of it: the peak is at the end of rendering. A job that lost its worker
 * before takes all there is, hence runs alone: if it is what kills workers, it must not take others with it again.
 */
function estimatedBytes(job: JobWithSource, route: ModelRoute | undefined): number {
  if (job.attempts > 0) return Infinity;
  const scale = route?.scale ?? 1;
  return job.sourcePixels * 4 * (1 + 1.5 * scale * scale);
}
