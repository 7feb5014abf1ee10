import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '../../../common/requests/request-context.js';
import { AppError } from '../../../kernel/app-error.js';
import { FairTaskQueue } from '../../../kernel/permits/fair-task-queue.js';
import type { JobWithSource } from '../../job-presenter.js';
import { JobSourceNamesRepository } from '../../session/job-source-names.repository.js';
import type { Batch } from '../batch.js';
import { BatchesRepository } from '../batches.repository.js';
import { BatchesService } from '../batches.service.js';
import { MAX_BATCH_ITEMS } from '../create-batch.dto.js';
import { ArchiveAnswer } from './archive-answer.js';
import { ResultChecksums } from './result-checksums.js';
import { type ArchiveFile, hasStoredResult, resultFiles } from './result-files.js';

/** More would wait for seconds and are refused instead. */
const MAX_WAITING = 100;
const MAX_WAITING_OF_ACCOUNT = 30;

/** The items of a batch, with the file names of their uploads by job id. */
interface BatchItems {
  readonly batch: Batch;
  readonly jobs: readonly JobWithSource[];
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Sends the results of a batch as one ZIP archive. Each request reads up to 1,000 rows, also one for a few bytes, so
 * batches are read one at a time: 200 requests at once would keep the connections to the database, and those of others
 * would wait for all of them.
 */
@Injectable()
export class BatchArchive {
  private readonly queue = new FairTaskQueue(MAX_WAITING, MAX_WAITING_OF_ACCOUNT);

  constructor(
    private readonly service: BatchesService,
    private readonly batches: BatchesRepository,
    private readonly names: JobSourceNamesRepository,
    private readonly checksums: ResultChecksums,
    private readonly archive: ArchiveAnswer,
  ) {}

  /**
   * Streams the archive or a range of it. The ETag changes when a result or an upload is erased.
   * @throws AppError `not_found`, `batch_not_finished`, `range_not_satisfiable`; `service_unavailable` when too many wait
   */
  async answer(accountId: string, id: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.archive.send(await this.files(accountId, id), `${id}.zip`, request, reply);
  }

  private async files(accountId: string, id: string): Promise<ArchiveFile[]> {
    const { batch, jobs, names } = await this.queue.take(accountId, () => this.read(accountId, id));
    const nowMs = Date.now();
    // Not in the queue, because results of earlier versions are read for their checksums.
    const stored = await this.checksums.of(jobs.filter((job) => hasStoredResult(job, nowMs)));
    return resultFiles(batch, jobs, stored, names);
  }

  private async read(accountId: string, id: string): Promise<BatchItems> {
    const batch = await this.service.read(accountId, id);
    if (batch.completedAt === null) throw new AppError('batch_not_finished', { retryAfterSeconds: 5 });
    const jobs = await this.batches.items(accountId, id, { afterIndex: -1 }, MAX_BATCH_ITEMS);
    const names = await this.names.namesOf(
      accountId,
      jobs.map((job) => job.id),
    );
    return { batch, jobs, names };
  }
}
