import { Injectable } from '@nestjs/common';
import type { JobDto } from '../../common/resources/job.dto.js';
import type { Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { Principal } from '../../kernel/principal.js';
import { type ReusedJob, ResultCache } from '../cache/result-cache.js';
import { CallbackHosts } from '../../webhooks/callbacks/callback-hosts.js';
import { sourceDeleted } from '../../uploads/sources/source-errors.js';
import { stepsOf } from '../job-step.js';
import type { CreateJobDto } from './create-job.dto.js';
import { type CreatedJob, type CreationRefusal, JobCreationRepository } from './job-creation.repository.js';
import { JobDispatch } from './job-dispatch.js';
import { JobPlanner, type PlannedJob } from './job-planner.js';
import { JobUploads } from './job-uploads.js';

/** Rolls back the transaction of a refused job. Never reaches a client. */
export class Refused extends Error {
  constructor(
    readonly outcome: Exclude<CreationRefusal, 'source_deleted'>,
    /** Determines the month, because the next one may have begun since. */
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
    private readonly uploads: JobUploads,
  ) {}

  /**
   * @param on a transaction when the job has a callback
   * @throws AppError whatever planner and dispatch throw; Refused when a quota is exhausted
   */
  async write(on: Queryable, principal: Principal, dto: CreateJobDto): Promise<JobDto> {
    const planned =
      (await this.planKnown(on, principal, dto)) ?? (await this.planner.plan(on, principal, dto));
    const { job } = planned;
    if (planned.testOutcome === 'quota_exceeded')
      throw new Refused('enhancements_used_up', job.createdAt, stepsOf(job).length);
    const reused = unlessRefused(await this.cache.reuse(on, principal, planned), planned);
    // After the storage counter and before that of the enhancements. Any other order may deadlock with an upload that
    // creates its job, which locks the storage first.
    if (job.callbackUrl !== null) await this.prepareCallback(on, principal, job.callbackUrl, reused);
    if (reused !== null) return reused.answer;
    const pixels = job.workPixels ?? job.sourcePixels;
    await this.dispatch.admit(on, principal, pixels);
    const answer = planned.answer();
    const outcome = await this.repository.create(on, principal, job, { job: answer });
    if (typeof outcome !== 'string') return withTimes(answer, outcome);
    this.dispatch.withdraw(principal, pixels);
    if (outcome === 'source_deleted') throw await this.deleted(on, principal, dto, planned);
    throw new Refused(outcome, job.createdAt, job.enhancements);
  }

  /** The plan for an upload that this process knows, which is not read again. */
  private async planKnown(
    on: Queryable,
    principal: Principal,
    dto: CreateJobDto,
  ): Promise<PlannedJob | undefined> {
    const source = this.uploads.known(principal.accountId, dto.sourceUrl);
    if (source === undefined) return undefined;
    // If the upload has been deleted since, that is the reason to refuse the request instead.
    return this.planner.plan(on, principal, dto, source).catch(ignoreRefusal);
  }

  /** Its errors roll the transaction back. The job then leaves no copy of a result behind. */
  private async prepareCallback(
    tx: Queryable,
    { accountId }: Principal,
    callbackUrl: string,
    reused: ReusedJob | null,
  ): Promise<void> {
    try {
      await this.callbacks.prepare(tx, accountId, callbackUrl);
    } catch (error) {
      // What cannot be deleted now is left to the orphan sweep.
      if (reused !== null) await this.cache.discard(reused.copy).catch(() => undefined);
      throw error;
    }
  }

  private async deleted(
    on: Queryable,
    { accountId }: Principal,
    { sourceUrl }: CreateJobDto,
    { source }: PlannedJob,
  ): Promise<AppError> {
    this.uploads.forget(accountId, source);
    // Its row says whether it was deleted or erased.
    await this.uploads.read(on, accountId, sourceUrl, 'sourceUrl');
    return sourceDeleted(source.id);
  }
}

/** The row has the times of the database, whose clock may differ. */
function withTimes(answer: JobDto, { createdAt, cancelAt }: CreatedJob): JobDto {
  const times = { createdAt: createdAt.toISOString() };
  return Object.assign(answer, times, cancelAt !== null && { cancelAt: cancelAt.toISOString() });
}

function ignoreRefusal(error: unknown): undefined {
  if (error instanceof AppError) return undefined;
  throw error;
}

/** @throws Refused */
function unlessRefused(reused: ReusedJob | 'storage_full' | null, { job }: PlannedJob): ReusedJob | null {
  if (reused === 'storage_full') throw new Refused(reused, job.createdAt, job.enhancements);
  return reused;
}
