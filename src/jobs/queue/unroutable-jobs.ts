import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { WORKER_GONE_MS } from '../../models/serving/model-workers.repository.js';
import { JobCompletion } from '../job-completion.js';
import { JobLeaseRepository } from './job-lease.repository.js';
import { UnroutableJobsRepository } from './unroutable-jobs.repository.js';

const BATCH = 500;

/**
 * Fails jobs whose promised model is gone for good. The database cannot distinguish this from workers that
 * could not reach it, so a kind counts only after this process has found it unserved in every round for as
 * long as a worker may be silent.
 */
@Injectable()
export class UnroutableJobs {
  private readonly logger = new Logger('jobs');
  /** When each kind was first found unserved, by the clock of this process. */
  private sinceMs: ReadonlyMap<string, number> = new Map();
  private lookedAtMs = -Infinity;

  constructor(
    private readonly unroutable: UnroutableJobsRepository,
    private readonly leases: JobLeaseRepository,
    private readonly completion: JobCompletion,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** After a database outage, workers get time to report again. */
  startAnew(): void {
    this.sinceMs = new Map();
  }

  /**
   * Fails jobs and refunds their quota. Each is claimed first, so that it is not taken from a worker that
   * just arrived.
   */
  async end(): Promise<void> {
    const { jobUnservedMs, jobLeaseMs } = this.config;
    const kinds = await this.kindsForLong();
    if (kinds.length === 0) return;
    for (const { id, operation } of await this.unroutable.find(kinds, jobUnservedMs, BATCH)) {
      const lease = { jobId: id, token: randomUUID() };
      if (!(await this.leases.setAside(lease, jobLeaseMs))) continue;
      const detail = `The model version that this job needs is no longer available for "${operation}". Create the job again.`;
      if (await this.completion.fail(id, lease.token, 'processing_failed', detail))
        this.logger.warn({ jobId: id, operation }, 'job failed: none of the running workers can run it');
    }
  }

  private async kindsForLong(): Promise<readonly string[]> {
    // Subtracted, so that jobs still end in time.
    const kinds = await this.unroutable.kinds(this.config.jobUnservedMs - WORKER_GONE_MS);
    const nowMs = performance.now();
    // Failed rounds, a stopped process, a slow answer: nothing was observed meanwhile.
    if (nowMs - this.lookedAtMs > Math.max(WORKER_GONE_MS, 2 * this.config.sweepIntervalMs)) this.startAnew();
    this.lookedAtMs = nowMs;
    const before = this.sinceMs;
    this.sinceMs = new Map(kinds.map((kind) => [kind, before.get(kind) ?? nowMs]));
    return kinds.filter((kind) => nowMs - this.sinceMs.get(kind)! >= WORKER_GONE_MS);
  }
}
