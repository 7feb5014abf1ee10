import { Injectable } from '@nestjs/common';
import { Database } from '../../infra/database/database.js';
import type { Principal } from '../../kernel/principal.js';
import { QuotasService } from '../../quotas/quotas.service.js';
import { ResultCache } from '../cache/result-cache.js';
import type { CreateJobDto } from '../creation/create-job.dto.js';
import { JobPlanner } from '../creation/job-planner.js';
import { stepsOf } from '../job-step.js';
import { AdmissionCheck } from './admission-check.js';
import type { DryRunDto } from './dry-run.dto.js';
import { QueueForecast } from './queue-forecast.js';

/** Previews the creation of a job. Writes nothing, reserves nothing, and notifies nobody. */
@Injectable()
export class JobPreview {
  constructor(
    private readonly planner: JobPlanner,
    private readonly admission: AdmissionCheck,
    private readonly quotas: QuotasService,
    private readonly forecast: QueueForecast,
    private readonly cache: ResultCache,
    private readonly database: Database,
  ) {}

  /** @throws AppError exactly what creating the job would throw now */
  async of(principal: Principal, dto: CreateJobDto): Promise<DryRunDto> {
    const planned = await this.planner.plan(this.database, principal, dto);
    const { job, result, answer } = planned;
    const { operation, level, enhancements: price } = job;
    const isCached = (await this.cache.find(this.database, principal, planned)) !== undefined;
    if (planned.testOutcome === 'quota_exceeded')
      throw await this.quotas.refusal(principal, 'enhancements', stepsOf(job).length);
    const cost = isCached ? 0 : price;
    await this.admission.check(principal, job, isCached);
    const { enhancements, storage } = await this.quotas.usage(principal);
    if (storage.remainingBytes === 0) throw await this.quotas.refusal(principal, 'storage');
    if (enhancements.remaining < cost) throw await this.quotas.refusal(principal, 'enhancements', cost);
    const { accountId } = principal;
    return {
      dryRun: true,
      operation,
      level,
      output: answer().output,
      cost,
      ...(isCached && { cached: true as const }),
      estimatedSeconds: isCached ? 0 : await this.forecast.secondsOf({ accountId, steps: stepsOf(job) }),
      result,
      quota: { remaining: enhancements.remaining },
    };
  }
}
