import { Injectable } from '@nestjs/common';
import {
  fingerprintOf,
  type IdempotentAnswer,
  IdempotencyService,
} from '../../idempotency/idempotency.service.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import type { Principal } from '../../kernel/principal.js';
import { QuotasService } from '../../quotas/quotas.service.js';
import type { CreateJobDto } from './create-job.dto.js';
import { type CreationOutcome, JobCreationRepository } from './job-creation.repository.js';
import { JobDispatch } from './job-dispatch.js';
import { JobPlanner } from './job-planner.js';
import type { JobDto } from '../../common/resources/job.dto.js';

/** Rolls back the transaction of a refused job. Never reaches a client. */
class Refused extends Error {
  constructor(
    readonly outcome: Exclude<CreationOutcome, 'created'>,
    /** Read the month now: the next one may have begun since. */
    readonly at: Date,
  ) {
    super(outcome);
  }
}

/** Creates jobs: plans them, inserts them in one statement, and then enqueues them. */
@Injectable()
export class JobCreation {
  constructor(
    private readonly planner: JobPlanner,
    private readonly repository: JobCreationRepository,
    private readonly dispatch: JobDispatch,
    private readonly quotas: QuotasService,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
  ) {}

  /**
   * @throws AppError whatever the planner throws, `quota_exceeded`, `service_unavailable`, `idempotency_*`
   */
  async create(
    principal: Principal,
    dto: CreateJobDto,
    key: string | undefined,
    fingerprint = fingerprintOf('POST /api/ai/enhance', dto),
  ): Promise<IdempotentAnswer<JobDto>> {
    try {
      const answer = await this.once(principal, dto, key, fingerprint);
      if (!answer.replayed) this.dispatch.enqueueSoon(answer.body.id);
      return answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      throw await this.quotas.refuse(
        principal,
        error.outcome === 'storage_full' ? 'storage' : 'enhancements',
        error.at,
      );
    }
  }

  private async once(
    principal: Principal,
    dto: CreateJobDto,
    key: string | undefined,
    fingerprint: string,
  ): Promise<IdempotentAnswer<JobDto>> {
    // A single statement needs no transaction; an idempotency key or counted pixels do.
    if (key === undefined) {
      const body = this.dispatch.isCounted(principal)
        ? await this.database.transaction((tx) => this.write(tx, principal, dto))
        : await this.write(this.database, principal, dto);
      return { body, replayed: false };
    }
    return this.idempotency.run({ accountId: principal.accountId, key, fingerprint }, (tx) =>
      this.write(tx, principal, dto),
    );
  }

  private async write(on: Queryable, principal: Principal, dto: CreateJobDto): Promise<JobDto> {
    const { job, answer } = await this.planner.plan(on, principal.accountId, dto);
    await this.dispatch.admit(on, principal, job.sourcePixels);
    const outcome = await this.repository.create(on, principal, job, { job: answer });
    if (outcome === 'created') return answer;
    this.dispatch.withdraw(job.sourcePixels);
    throw new Refused(outcome, job.createdAt);
  }
}
