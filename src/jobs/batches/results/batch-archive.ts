import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '../../../common/requests/request-context.js';
import { AppError } from '../../../kernel/app-error.js';
import { JobSourceNamesRepository } from '../../session/job-source-names.repository.js';
import { BatchesRepository } from '../batches.repository.js';
import { BatchesService } from '../batches.service.js';
import { MAX_BATCH_ITEMS } from '../create-batch.dto.js';
import { ArchiveAnswer } from './archive-answer.js';
import { ResultChecksums } from './result-checksums.js';
import { type ArchiveFile, hasStoredResult, resultFiles } from './result-files.js';

/** Sends the results of a batch as one ZIP archive. */
@Injectable()
export class BatchArchive {
  constructor(
    private readonly service: BatchesService,
    private readonly batches: BatchesRepository,
    private readonly names: JobSourceNamesRepository,
    private readonly checksums: ResultChecksums,
    private readonly archive: ArchiveAnswer,
  ) {}

  /**
   * Streams the archive or a range of it. The ETag changes when a result or an upload is erased.
   * @throws AppError `not_found`, `batch_not_finished`, `range_not_satisfiable`
   */
  async answer(accountId: string, id: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.archive.send(await this.files(accountId, id), `${id}.zip`, request, reply);
  }

  private async files(accountId: string, id: string): Promise<ArchiveFile[]> {
    const batch = await this.service.read(accountId, id);
    if (batch.completedAt === null) throw new AppError('batch_not_finished', { retryAfterSeconds: 5 });
    const jobs = await this.batches.items(accountId, id, { afterIndex: -1 }, MAX_BATCH_ITEMS);
    const nowMs = Date.now();
    const names = await this.names.namesOf(
      accountId,
      jobs.map((job) => job.id),
    );
    const stored = await this.checksums.of(jobs.filter((job) => hasStoredResult(job, nowMs)));
    return resultFiles(batch, jobs, stored, names);
  }
}
