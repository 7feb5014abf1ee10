import { Injectable } from '@nestjs/common';
import type { BatchWithSkippedDto } from '../../common/resources/batch.dto.js';
import {
  fingerprintOf,
  type IdempotentAnswer,
  IdempotencyService,
} from '../../idempotency/idempotency.service.js';
import type { Queryable } from '../../infra/database/database.js';
import { newId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { BatchCreationRepository } from './batch-creation.repository.js';
import { BatchJobs } from './batch-jobs.js';
import { BatchPlanner, type PlannedJob } from './batch-planner.js';
import { presentBatch } from './batch-presenter.js';
import type { CreateBatchDto } from './create-batch.dto.js';

/** Creates batches: all jobs in one transaction, or none. */
@Injectable()
export class BatchCreation {
  constructor(
    private readonly planner: BatchPlanner,
    private readonly repository: BatchCreationRepository,
    private readonly jobs: BatchJobs,
    private readonly idempotency: IdempotencyService,
  ) {}

  /**
   * @throws AppError `invalid_request` that names every invalid item, `preset_not_found`, `quota_exceeded`,
   * `pixel_rate_limited`, `service_unavailable`, `idempotency_*`
   */
  async create(
    principal: Principal,
    dto: CreateBatchDto,
    key: string | undefined,
  ): Promise<IdempotentAnswer<BatchWithSkippedDto>> {
    const { accountId } = principal;
    const fingerprint = fingerprintOf('POST /api/ai/batches', dto);
    let created: readonly PlannedJob[] = [];
    try {
      const answer = await this.idempotency.run({ accountId, key, fingerprint }, async (tx) => {
        const written = await this.write(tx, principal, dto);
        created = written.created;
        return written.answer;
      });
      if (!answer.replayed) this.jobs.enqueueSoon(created);
      return answer;
    } catch (error) {
      throw await this.jobs.answerRefusal(principal, error);
    }
  }

  private async write(
    tx: Queryable,
    principal: Principal,
    dto: CreateBatchDto,
  ): Promise<{ created: readonly PlannedJob[]; answer: BatchWithSkippedDto }> {
    const { accountId } = principal;
    const { sourceUrls, onQuota = 'all', ...asked } = dto;
    const request = await this.planner.requestOf(tx, accountId, asked);
    await this.jobs.prepareCallback(tx, principal, request);
    const sources = this.planner.sourcesOf(sourceUrls);
    const planned = await this.planner.planAll(tx, principal, request, sources);
    const reservation = await this.jobs.reserve(tx, principal, { request, planned }, onQuota);
    const { allowed, reused, skipped } = reservation;
    const batch = await this.repository.insertBatch(tx, {
      id: newId('batch'),
      accountId,
      request: { ...request, metadata: request.metadata ?? {} },
      total: allowed.length + reused.length,
      createdAt: planned[0]!.job.createdAt,
    });
    await this.jobs.insert(tx, principal, batch.id, reservation);
    const counted = (await this.jobs.countReused(tx, batch.id, reservation)) ?? batch;
    return { created: allowed, answer: Object.assign(presentBatch(counted), { skipped: [...skipped] }) };
  }
}
