import { Injectable } from '@nestjs/common';
import type { EventStream } from '../common/events/event-stream.js';
import { type Page, pageOf, readCursor } from '../common/lists/pagination.js';
import type { Patience } from '../common/requests/prefer-wait.decorator.js';
import { invalidRequest } from '../common/validation/validation.pipe.js';
import type { Fingerprint, IdempotentAnswer } from '../idempotency/idempotency.service.js';
import { AppError } from '../kernel/app-error.js';
import { isId } from '../kernel/ids.js';
import { SPECIFIED_OPERATIONS } from '../kernel/operations.js';
import type { Principal } from '../kernel/principal.js';
import { AvailableOperations } from '../models/serving/available-operations.js';
import type { CreateJobDto } from './creation/create-job.dto.js';
import { JobCreation } from './creation/job-creation.js';
import { JobCompletion } from './job-completion.js';
import type { JobFilter } from './job-list-query.js';
import { JobPresenter, type JobWithSource } from './job-presenter.js';
import { JobStream } from './updates/job-stream.js';
import { JobWait } from './updates/job-wait.js';
import type { JobDto } from '../common/resources/job.dto.js';
import { JobsRepository } from './jobs.repository.js';
import type { ListJobsQueryDto } from './list-jobs-query.dto.js';
import { isRepeatable } from '../infra/database/database-errors.js';

/** What a list of jobs shows. `isCanceled` distinguishes canceled jobs from other failed ones. */
export type JobListQuery = ListJobsQueryDto & Pick<JobFilter, 'isCanceled' | 'sourceName'>;
@Injectable()
export class JobsService {
  constructor(
    private readonly creation: JobCreation,
    private readonly jobs: JobsRepository,
    private readonly completion: JobCompletion,
    private readonly presenter: JobPresenter,
    private readonly wait: JobWait,
    private readonly stream: JobStream,
    private readonly operations: AvailableOperations,
  ) {}

  /**
   * @param fingerprint what the idempotency key stands for, if not the request body; see `IdempotentRequest`
   */
  create(
    principal: Principal,
    dto: CreateJobDto,
    key: string | undefined,
    fingerprint?: Fingerprint,
  ): Promise<IdempotentAnswer<JobDto>> {
    return this.creation.create(principal, dto, key, fingerprint);
  }

  /** @throws AppError `not_found`, `gone` */
  async get(accountId: string, id: string): Promise<JobDto> {
    return this.presenter.present(await this.read(accountId, id));
  }

  /** Whether a request may wait now; otherwise it gets a response at once. */
  mayWait({ accountId }: Principal, { waitMs }: Patience): boolean {
    return waitMs > 0 && this.wait.isPossibleFor(accountId);
  }

  /**
   * The job when it has ended, or its state after the requested wait.
   * @throws AppError `not_found`, `gone`
   */
  async waitFor(accountId: string, id: string, { waitMs, signal }: Patience): Promise<JobDto> {
    const read = (): Promise<JobWithSource> => this.read(accountId, id);
    const job = await this.wait.until({ accountId, id }, read, waitMs, signal);
    return this.presenter.present(notDeleted(job));
  }

  /**
   * Like `waitFor`, for a job that this request created. If the database becomes unavailable while waiting,
   * the request has still succeeded.
   * @returns null when waiting failed
   */
  async waitForNew(accountId: string, id: string, patience: Patience): Promise<JobDto | null> {
    try {
      return await this.waitFor(accountId, id, patience);
    } catch (error) {
      if (isRepeatable(error)) return null;
      throw error;
    }
  }

  /**
   * The job as server-sent events; null when it has ended and the client knows its final state.
   * @throws AppError `not_found`, `gone`, `service_unavailable`
   */
  follow(accountId: string, id: string, lastEventId: string | undefined): Promise<EventStream | null> {
    return this.stream.open({ accountId, id }, () => this.read(accountId, id), lastEventId);
  }

  /** @throws AppError `invalid_request` for an unknown operation; `invalid_cursor` */
  async list(accountId: string, query: JobListQuery): Promise<Page<JobDto>> {
    if (query.operation !== undefined) this.requireOperation(query.operation);
    const beforeId = query.cursor === undefined ? undefined : readCursor('job', query.cursor);
    const rows = await this.jobs.list(accountId, filterOf(query, beforeId), query.limit);
    return pageOf(rows, query.limit, (row) => this.presenter.present(row));
  }

  /** @throws AppError `not_found`, `gone`, `job_already_finished` */
  async cancel(accountId: string, id: string): Promise<JobDto> {
    await this.read(accountId, id);
    if (!(await this.completion.fail(id, null, 'canceled', null))) throw new AppError('job_already_finished');
    return this.get(accountId, id);
  }

  /**
   * Cancels if needed, hides the job and erases its result.
   * @returns whether the job was canceled, and so not charged
   * @throws AppError `not_found`, `gone`
   */
  async delete(accountId: string, id: string): Promise<boolean> {
    await this.read(accountId, id);
    return this.completion.delete(accountId, id);
  }

  private requireOperation(operation: string): void {
    const offered = this.operations.operations().map((each) => each.operation);
    const known = [...new Set([...SPECIFIED_OPERATIONS, ...offered])];
    if (known.includes(operation)) return;
    const message = `operation must be one of ${known.join(', ')}.`;
    throw invalidRequest([{ field: 'operation', code: 'enum', message }]);
  }

  private async read(accountId: string, id: string): Promise<JobWithSource> {
    // PostgreSQL refuses some invalid ids, so they are not queried.
    const job = isId('job', id) ? await this.jobs.read(accountId, id) : undefined;
    if (job === undefined)
      throw new AppError('not_found', { detail: `There is no job "${id}" in your account.` });
    return notDeleted(job);
  }
}

function notDeleted(job: JobWithSource): JobWithSource {
  if (job.deletedAt === null) return job;
  throw new AppError('gone', { detail: `The job "${job.id}" was deleted.` });
}

function filterOf(query: JobListQuery, beforeId: string | undefined): JobFilter {
  const { status, isCanceled, operation, createdAfter, createdBefore, batchId, sourceName } = query;
  return { beforeId, status, isCanceled, operation, createdAfter, createdBefore, batchId, sourceName };
}
