import { Inject, Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { BatchesRepository } from '../../jobs/batches/batches.repository.js';
import { BatchRetry } from '../../jobs/batches/batch-retry.js';
import { JobCreation } from '../../jobs/creation/job-creation.js';
import { resultSecondsOf } from '../../jobs/creation/job-terms.js';
import { JobsService } from '../../jobs/jobs.service.js';
import { JobsRepository } from '../../jobs/jobs.repository.js';
import { repeatedJob } from '../../jobs/session/repeated-job.js';
import { AppError } from '../../kernel/app-error.js';
import { effectiveLimits, type Plan, type PlanLimits } from '../../kernel/plans.js';
import type { Principal } from '../../kernel/principal.js';
import { SCOPES } from '../../kernel/scopes.js';
import type { RerunDto } from './failed-job.dto.js';
import { type FailedJob, FailedJobsRepository } from './failed-jobs.repository.js';

/** Waits for a concurrent rerun of the same job. */
const CLAIM: Prepared = {
  name: 'job_rerun_claim',
  text: `INSERT INTO job_reruns (job_id, new_job_id) VALUES ($1, '') ON CONFLICT DO NOTHING RETURNING job_id`,
};

const NAME: Prepared = {
  name: 'job_rerun_name',
  text: 'UPDATE job_reruns SET new_job_id = $2 WHERE job_id = $1',
};

const OWNER: Prepared = { name: 'job_rerun_owner', text: 'SELECT plan, limits FROM accounts WHERE id = $1' };

/** Rolls the transaction back, because the job was already run again. */
class RunBefore extends Error {}

/**
 * Runs failed jobs of customers again. A failed job was not charged; the new one costs what the first would have cost.
 * A row for each job that was run again makes a rerun happen at most once, however often it is requested. An item of a
 * batch is retried instead, as its owner could, so that an operator and the owner do not run it twice.
 */
@Injectable()
export class JobReruns {
  constructor(
    private readonly failures: FailedJobsRepository,
    private readonly jobs: JobsService,
    private readonly repository: JobsRepository,
    private readonly creation: JobCreation,
    private readonly batches: BatchesRepository,
    private readonly retries: BatchRetry,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @throws AppError `not_found`, `account_suspended`, `gone` when the photo was deleted, and the errors of a new job
   */
  async run(id: string): Promise<RerunDto> {
    const failure = await this.failures.find(id);
    if (failure === undefined) throw noFailedJob(id);
    if (failure.rerunAs !== null) return { jobId: failure.rerunAs, isNew: false };
    if (failure.isSuspended)
      throw new AppError('account_suspended', {
        detail: 'The account of this job is suspended. Resume it first. Nothing was run.',
      });
    if (!failure.hasSource)
      throw new AppError('gone', { detail: 'The photo of this job was deleted, so it cannot be run again.' });
    try {
      return { jobId: await this.create(failure), isNew: true };
    } catch (error) {
      if (!(error instanceof RunBefore)) throw error;
      const rerunAs = (await this.failures.find(id))?.rerunAs;
      if (rerunAs == null) throw noFailedJob(id);
      return { jobId: rerunAs, isNew: false };
    }
  }

  private async create({ id, accountId, batchId }: FailedJob): Promise<string> {
    const owner = await this.ownerOf(accountId);
    const record = (tx: Queryable, newJobId: string): Promise<void> =>
      auditLog.record(tx, { action: 'job.rerun', accountId, targetId: id, details: { newJobId } });
    if (batchId !== null) {
      const batch = (await this.batches.find(accountId, batchId))!;
      const newId = await this.retries.retryItem(owner, batch, id, record);
      if (newId === undefined) throw new RunBefore();
      return newId;
    }
    const presented = await this.jobs.get(accountId, id);
    const failed = (await this.repository.read(accountId, id))!;
    const request = repeatedJob(failed, presented, resultSecondsOf(owner.plan, this.config));
    const { body } = await this.creation.createWithin(owner, async (write) => ({
      body: await this.database.transaction(async (tx) => {
        if ((await tx.query(CLAIM, [id])).length === 0) throw new RunBefore();
        const job = await write(tx, request);
        await tx.query(NAME, [id, job.id]);
        await record(tx, job.id);
        return job;
      }),
      replayed: false,
    }));
    return body.id;
  }

  /** The principal of a session of the owner. */
  private async ownerOf(accountId: string): Promise<Principal> {
    const [row] = await this.database.query<{ plan: Plan; limits: Partial<PlanLimits> | null }>(OWNER, [
      accountId,
    ]);
    if (row === undefined) throw new AppError('not_found');
    const limits = effectiveLimits(row.plan, row.limits);
    return { keyId: null, accountId, scopes: SCOPES, plan: row.plan, limits };
  }
}

function noFailedJob(id: string): AppError {
  return new AppError('not_found', { detail: `There is no failed job "${id}".` });
}
