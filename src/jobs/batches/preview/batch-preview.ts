import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../../infra/database/database.js';
import type { Principal } from '../../../kernel/principal.js';
import { QuotasService } from '../../../quotas/quotas.service.js';
import type { NewJob } from '../../creation/job-creation.repository.js';
import { stepsOf } from '../../job-step.js';
import { QueueForecast } from '../../preview/queue-forecast.js';
import { BatchJobs } from '../batch-jobs.js';
import { BatchPlanner } from '../batch-planner.js';
import { type Allowance, BatchRefused, costOf } from '../batch-reservation.js';
import type { CreateBatchDto } from '../create-batch.dto.js';
import type { BatchDryRunDto } from './batch-dry-run.dto.js';

/** The batch that would be created, and one of its planned jobs. */
type Previewed = Allowance & { readonly cached: number; readonly job: NewJob };

/** Rolls back the transaction that had to count in order to decide. Never reaches a client. */
class Undone extends Error {
  constructor(readonly allowance: Previewed) {
    super('undone');
  }
}

/** Previews the creation of a batch. Writes nothing, reserves nothing, and notifies nobody. */
@Injectable()
export class BatchPreview {
  constructor(
    private readonly planner: BatchPlanner,
    private readonly jobs: BatchJobs,
    private readonly quotas: QuotasService,
    private readonly forecast: QueueForecast,
    private readonly database: Database,
  ) {}

  /** @throws AppError exactly what creating the batch would throw now */
  async of(principal: Principal, dto: CreateBatchDto): Promise<BatchDryRunDto> {
    const { allowed, cached, skipped, job } = await this.allowance(principal, dto);
    const { operation, level, preset } = job;
    const { enhancements } = await this.quotas.usage(principal);
    const steps = allowed.flatMap((one) => stepsOf(one.job));
    const { accountId } = principal;
    return {
      dryRun: true,
      operation,
      level,
      ...(preset !== null && { preset }),
      total: allowed.length + cached,
      cost: costOf(allowed),
      cached,
      estimatedSeconds:
        allowed.length === 0
          ? 0
          : await this.forecast.secondsOf({ accountId, isBatch: true, steps, jobs: allowed.length }),
      skipped: [...skipped],
      quota: { remaining: enhancements.remaining },
    };
  }

  /** Decides as a creation does, in a transaction that is rolled back. */
  private async allowance(principal: Principal, dto: CreateBatchDto): Promise<Previewed> {
    try {
      return await this.database.transaction(async (tx) => {
        throw new Undone(await this.allow(tx, principal, dto));
      });
    } catch (error) {
      if (error instanceof BatchRefused)
        throw await this.quotas.refusal(principal, error.quota, error.needed);
      if (!(error instanceof Undone)) throw error;
      return error.allowance;
    }
  }

  private async allow(tx: Queryable, principal: Principal, dto: CreateBatchDto): Promise<Previewed> {
    const { sourceUrls, onQuota = 'all', ...asked } = dto;
    const request = await this.planner.requestOf(tx, principal.accountId, asked);
    await this.jobs.prepareCallback(tx, principal, request);
    const sources = this.planner.sourcesOf(sourceUrls);
    const planned = await this.planner.planAll(tx, principal, request, sources);
    const allowance = await this.jobs.preview(tx, principal, { request, planned }, onQuota);
    return { ...allowance, job: planned[0]!.job };
  }
}
