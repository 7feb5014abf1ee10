import { Injectable } from '@nestjs/common';
import { type Page, pageOf, readCursor } from '../../../common/lists/pagination.js';
import { DEFAULT_LEVEL } from '../../../kernel/operations.js';
import { requestedSteps } from '../../creation/requested-steps.js';
import type { SessionJobDto } from '../../session/session-job.dto.js';
import { SessionJobs } from '../../session/session-jobs.js';
import type { Batch } from '../batch.js';
import { presentBatch } from '../batch-presenter.js';
import { BatchesRepository } from '../batches.repository.js';
import { BatchesService } from '../batches.service.js';
import type { ListBatchJobsQueryDto } from '../list-batch-jobs-query.dto.js';
import type { BatchOperationDto, SessionBatchDetailDto, SessionBatchDto } from './session-batch.dto.js';

/** Batches with additional fields for the dashboard. */
@Injectable()
export class SessionBatches {
  constructor(
    private readonly service: BatchesService,
    private readonly batches: BatchesRepository,
    private readonly jobsOfSession: SessionJobs,
  ) {}

  /** Newest first. @throws AppError `invalid_cursor` */
  async list(accountId: string, limit: number, cursor: string | undefined): Promise<Page<SessionBatchDto>> {
    const beforeId = cursor === undefined ? undefined : readCursor('batch', cursor);
    const rows = await this.batches.list(accountId, beforeId, limit);
    return pageOf(rows, limit, (batch) =>
      Object.assign(presentBatch(batch), { operations: operationsOf(batch) }),
    );
  }

  /** @throws AppError `not_found` */
  async get(accountId: string, id: string): Promise<SessionBatchDetailDto> {
    const detail = await this.service.get(accountId, id);
    return Object.assign(detail, { operations: operationsOf(await this.service.read(accountId, id)) });
  }

  /** Its items in the order of the request. @throws AppError `not_found`, `invalid_cursor` */
  async jobs(accountId: string, id: string, query: ListBatchJobsQueryDto): Promise<Page<SessionJobDto>> {
    const page = await this.service.jobs(accountId, id, query);
    return this.jobsOfSession.pageWithExtras(accountId, page);
  }
}

function operationsOf({ request }: Batch): BatchOperationDto[] {
  return requestedSteps(request).map(({ step: { operation, level = DEFAULT_LEVEL } }) => ({
    operation,
    level,
  }));
}
