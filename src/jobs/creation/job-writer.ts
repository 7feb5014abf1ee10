import { Injectable } from '@nestjs/common';
import type { JobDto } from '../../common/resources/job.dto.js';
import type { Queryable } from '../../infra/database/database.js';
import type { Principal } from '../../kernel/principal.js';
import { ResultCache } from '../cache/result-cache.js';
import { CallbackHosts } from '../../webhooks/callbacks/callback-hosts.js';
import type { CreateJobDto } from './create-job.dto.js';
import { type CreationOutcome, JobCreationRepository } from './job-creation.repository.js';
import { JobDispatch } from './job-dispatch.js';
import { JobPlanner } from './job-planner.js';

/** Rolls back the transaction of a refused job. Never reaches a client. */
export class Refused extends Error {
  constructor(
    readonly outcome: Exclude<CreationOutcome, 'created'>,
    /** Read the month now: the next one may have begun since. */
    readonly at: Date,
    /** Enhancements that the job costs. */
    readonly enhancements: number,
  ) {
    super(outcome);
  }
}

/** Writes new jobs: completed ones where a result can be used again, else queued ones. */
@Injectable()
export class JobWriter {
  constructor(
    private readonly planner: JobPlanner,
    private readonly cache: ResultCache,
    private readonly repository: JobCreationRepository,
    private readonly dispatch: JobDispatch,
    private readonly callbacks: CallbackHosts,
  ) {}

  /**
   * @param on a transaction when the job has a callback
   * @throws AppError whatever planner and dispatch throw; Refused when a quota is exhausted
   */
  async write(on: Queryable, principal: Principal, dto: CreateJobDto): Promise<JobDto> {
    const planned = await this.planner.plan(on, principal, dto);
    const { job, answer } = planned;
    if (planned.testOutcome === 'quota_exceeded')
      throw new Refused('enhancements_used_up', job.createdAt, job.enhancements);
    if (job.callbackUrl !== null) await this.callbacks.prepare(on, principal.accountId, job.callbackUrl);
    const reused = await this.cache.reuse(on, principal, planned);
    if (reused === 'storage_full') throw new Refused(reused, job.createdAt, job.enhancements);
    if (reused !== null) return reused;
    const pixels = job.workPixels ?? job.sourcePixels;
    await this.dispatch.admit(on, principal, pixels);
    const outcome = await this.repository.create(on, principal, job, { job: answer });
    if (outcome === 'created') return answer;
    this.dispatch.withdraw(pixels);
    throw new Refused(outcome, job.createdAt, job.enhancements);
  }
}
