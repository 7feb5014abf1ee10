import { Injectable } from '@nestjs/common';
import { type Page, pageOf, readCursor } from '../../common/lists/pagination.js';
import { ERROR_CODES } from '../../kernel/errors/error-codes.js';
import type { FailedJobDto, FailedJobsQueryDto, FailureCountsDto } from './failed-job.dto.js';
import {
  type FailedJob,
  FailedJobsRepository,
  type FailureFilter,
  MAX_COUNTED_FAILURES,
} from './failed-jobs.repository.js';

const NOBODY = 'acc_none';

/** Failed jobs of all accounts, without photos and file names. */
@Injectable()
export class FailedJobs {
  constructor(private readonly repository: FailedJobsRepository) {}

  /** @throws AppError `invalid_cursor` */
  async list(query: FailedJobsQueryDto): Promise<Page<FailedJobDto>> {
    const { limit, cursor } = query;
    const beforeId = cursor === undefined ? undefined : readCursor('job', cursor);
    const rows = await this.repository.list(await this.filterOf(query), beforeId, limit + 1);
    return pageOf(rows, limit, present);
  }

  /** Ignores the filter by code, because operators choose a code from these counts. */
  async counts({ code: _code, ...query }: FailedJobsQueryDto): Promise<FailureCountsDto> {
    const data = await this.repository.counts(await this.filterOf(query));
    const counted = data.reduce((sum, { jobs }) => sum + jobs, 0);
    return { data, isCapped: counted === MAX_COUNTED_FAILURES };
  }

  private async filterOf({
    code,
    operation,
    account,
    since,
  }: Omit<FailedJobsQueryDto, 'limit' | 'cursor'>): Promise<FailureFilter> {
    return {
      code,
      operation,
      accountId: account === undefined ? undefined : ((await this.repository.accountIdOf(account)) ?? NOBODY),
      since: since === undefined ? undefined : new Date(since),
    };
  }
}

function present({ createdAt, failedAt, hasSource, isSuspended, message, ...job }: FailedJob): FailedJobDto {
  const { id, accountId, email, accountName, operation, code, attempts, rerunAs } = job;
  return {
    id,
    accountId,
    email,
    accountName,
    operation,
    code,
    message: message ?? ERROR_CODES[code].text,
    attempts,
    createdAt: createdAt.toISOString(),
    failedAt: failedAt.toISOString(),
    rerun: rerunOf({ hasSource, isSuspended, rerunAs }),
    rerunAs,
  };
}

function rerunOf(job: Pick<FailedJob, 'hasSource' | 'isSuspended' | 'rerunAs'>): FailedJobDto['rerun'] {
  if (job.rerunAs !== null) return 'done';
  if (!job.hasSource) return 'source_deleted';
  return job.isSuspended ? 'account_suspended' : 'possible';
}
