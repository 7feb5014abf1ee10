import { Injectable } from '@nestjs/common';
import type { BatchWithSkippedDto } from '../../common/resources/batch.dto.js';
import { type IdempotentAnswer, IdempotencyService } from '../../idempotency/idempotency.service.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { newId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { FileUrls } from '../../uploads/files/file-urls.js';
import { requestFingerprints } from '../creation/urls/request-fingerprints.js';
import { BatchCreationRepository } from './batch-creation.repository.js';
import { BatchJobs } from './batch-jobs.js';
import { BatchPlanner, type PlannedJob } from './batch-planner.js';
import { presentBatch } from './batch-presenter.js';
import type { PlannedRequest } from './batch.js';
import type { ReusedItem } from './batch-reuse.repository.js';
import type { CreateBatchDto } from './create-batch.dto.js';
import { UnconfirmedCommit } from '../../infra/database/database-errors.js';

interface PreparedBatch {
  readonly request: PlannedRequest;
  readonly planned: readonly PlannedJob[];
  /** Results of equal jobs, copied for some of the planned jobs. */
  readonly copies: readonly ReusedItem[];
}

/** Creates batches: all jobs in one transaction, or none. */
@Injectable()
export class BatchCreation {
  constructor(
    private readonly planner: BatchPlanner,
    private readonly repository: BatchCreationRepository,
    private readonly jobs: BatchJobs,
    private readonly idempotency: IdempotencyService,
    private readonly fileUrls: FileUrls,
    private readonly database: Database,
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
    const fingerprint = requestFingerprints('POST /api/ai/batches', dto, this.fileUrls);
    const known = await this.idempotency.find<BatchWithSkippedDto>({ accountId, key, fingerprint });
    if (known !== undefined) return known;
    const prepared = await this.prepare(principal, dto);
    const { copies } = prepared;
    let created: readonly PlannedJob[] = [];
    try {
      const answer = await this.idempotency.run({ accountId, key, fingerprint }, async (tx) => {
        const written = await this.write(tx, principal, prepared, dto);
        created = written.created;
        return written.answer;
      });
      if (answer.replayed) await this.jobs.discardUnused(copies, []);
      else this.jobs.enqueueSoon(created);
      return answer;
    } catch (error) {
      // After an unconfirmed commit, the jobs may exist and need their results.
      if (!(error instanceof UnconfirmedCommit)) await this.jobs.discardUnused(copies, []);
      throw await this.jobs.answerRefusal(principal, error);
    }
  }

  /** Everything that needs no transaction: planning, and copying results, which may take long. */
  private async prepare(principal: Principal, dto: CreateBatchDto): Promise<PreparedBatch> {
    const { sourceUrls, onQuota: _onQuota, ...asked } = dto;
    const request = await this.planner.requestOf(this.database, principal.accountId, asked);
    const sources = this.planner.sourcesOf(sourceUrls);
    const planned = await this.planner.planAll(this.database, principal, request, sources);
    return { request, planned, copies: await this.jobs.copyKnown(principal, request, planned) };
  }

  private async write(
    tx: Queryable,
    principal: Principal,
    { request, planned, copies }: PreparedBatch,
    { onQuota = 'all' }: CreateBatchDto,
  ): Promise<{ created: readonly PlannedJob[]; answer: BatchWithSkippedDto }> {
    const { accountId } = principal;
    const asked = { request, planned, reused: copies };
    return this.jobs.reserve(tx, principal, asked, onQuota, async (reservation) => {
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
    });
  }
}
