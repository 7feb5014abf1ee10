import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../infra/database/database.js';
import type { Principal } from '../../kernel/principal.js';
import { QuotasService } from '../../quotas/quotas.service.js';
import type { CreateJobDto } from '../creation/create-job.dto.js';
import { JobDispatch } from '../creation/job-dispatch.js';
import { JobPlanner } from '../creation/job-planner.js';
import type { DryRunDto } from './dry-run.dto.js';
import { QueueForecast } from './queue-forecast.js';

/** Rolls back a transaction that had to count in order to decide. Never reaches a client. */
class Undone extends Error {}

/** Says what creating a job would do. Writes nothing, reserves nothing, and notifies nobody. */
@Injectable()
export class JobPreview {
  constructor(
    private readonly planner: JobPlanner,
    private readonly dispatch: JobDispatch,
    private readonly quotas: QuotasService,
    private readonly forecast: QueueForecast,
    private readonly database: Database,
  ) {}

  /** @throws AppError exactly what creating the job would throw now */
  async of(principal: Principal, dto: CreateJobDto): Promise<DryRunDto> {
    const { job, result } = await this.planner.plan(this.database, principal.accountId, dto);
    const { operation, level, output, sourcePixels } = job;
    await this.refuseUnlessAdmitted(principal, sourcePixels);
    const { enhancements, storage } = await this.quotas.usage(principal);
    if (storage.remainingBytes === 0) throw await this.quotas.refusal(principal, 'storage');
    if (enhancements.remaining < COST) throw await this.quotas.refusal(principal, 'enhancements');
    const steps = [{ operation, level, pixels: sourcePixels }];
    const { accountId } = principal;
    return {
      dryRun: true,
      operation,
      level,
      output,
      cost: COST,
      estimatedSeconds: await this.forecast.secondsOf({ accountId, sourcePixels, steps }),
      result,
      quota: { remaining: enhancements.remaining },
    };
  }

  private async refuseUnlessAdmitted(principal: Principal, pixels: number): Promise<void> {
    const admit = async (on: Queryable): Promise<void> => {
      await this.dispatch.admit(on, principal, pixels);
      this.dispatch.withdraw(pixels);
    };
    if (!this.dispatch.isCounted(principal)) return admit(this.database);
    try {
      await this.database.transaction(async (tx) => {
        await admit(tx);
        throw new Undone();
      });
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
    }
  }
}

/** Enhancements. */
const COST = 1;
