import { Injectable } from '@nestjs/common';
import {
  type Fingerprint,
  type IdempotentAnswer,
  IdempotencyService,
} from '../../idempotency/idempotency.service.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import type { Principal } from '../../kernel/principal.js';
import { QuotasService } from '../../quotas/quotas.service.js';
import type { CreateJobDto } from './create-job.dto.js';
import { JobDispatch } from './job-dispatch.js';
import { JobWriter, Refused } from './job-writer.js';
import type { JobDto } from '../../common/resources/job.dto.js';
import { FileUrls } from '../../uploads/files/file-urls.js';
import { requestFingerprints } from './urls/request-fingerprints.js';

/** Writes a job in a transaction. */
export type WriteJob = (tx: Queryable, dto: CreateJobDto) => Promise<JobDto>;

/** Creates jobs: plans and inserts them, and then enqueues those that must be run. */
@Injectable()
export class JobCreation {
  constructor(
    private readonly writer: JobWriter,
    private readonly dispatch: JobDispatch,
    private readonly quotas: QuotasService,
    private readonly idempotency: IdempotencyService,
    private readonly fileUrls: FileUrls,
    private readonly database: Database,
  ) {}

  /**
   * @throws AppError whatever the planner throws, `quota_exceeded`, `service_unavailable`, `idempotency_*`
   */
  async create(
    principal: Principal,
    dto: CreateJobDto,
    key: string | undefined,
    fingerprint?: Fingerprint,
  ): Promise<IdempotentAnswer<JobDto>> {
    return this.createWithin(principal, () => this.once(principal, dto, key, fingerprint));
  }

  /**
   * Creates a job in a transaction that also does something else, such as inserting its source.
   * @param transact runs `write` in its transaction, at most once, and commits
   * @throws AppError as `create`, and whatever `transact` throws
   */
  async createWithin(
    principal: Principal,
    transact: (write: WriteJob) => Promise<IdempotentAnswer<JobDto>>,
  ): Promise<IdempotentAnswer<JobDto>> {
    try {
      const answer = await transact((tx, dto) => this.writer.write(tx, principal, dto));
      if (!answer.replayed && answer.body.status === 'queued')
        this.dispatch.enqueueSoon(principal, answer.body.id);
      return answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { outcome, at, enhancements } = error;
      throw outcome === 'storage_full'
        ? await this.quotas.refuse(principal, 'storage', at)
        : await this.quotas.refuse(principal, 'enhancements', at, enhancements);
    }
  }

  private async once(
    principal: Principal,
    dto: CreateJobDto,
    key: string | undefined,
    fingerprint: Fingerprint = requestFingerprints('POST /api/ai/enhance', dto, this.fileUrls),
  ): Promise<IdempotentAnswer<JobDto>> {
    // A single statement needs no transaction. An idempotency key, counted pixels, or a callback need one.
    if (key === undefined) {
      const body =
        this.dispatch.isCounted(principal) || dto.callbackUrl !== undefined
          ? await this.database.transaction((tx) => this.writer.write(tx, principal, dto))
          : await this.writer.write(this.database, principal, dto);
      return { body, replayed: false };
    }
    return this.idempotency.run({ accountId: principal.accountId, key, fingerprint }, (tx) =>
      this.writer.write(tx, principal, dto),
    );
  }
}
