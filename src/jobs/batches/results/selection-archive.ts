import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from '../../../common/requests/request-context.js';
import { AppError } from '../../../kernel/app-error.js';
import { JobsRepository } from '../../jobs.repository.js';
import { JobSourceNamesRepository } from '../../session/job-source-names.repository.js';
import { ArchiveAnswer } from './archive-answer.js';
import { ResultChecksums } from './result-checksums.js';
import { hasStoredResult, selectedFiles } from './result-files.js';

const NAME = 'results.zip';

/** Sends chosen results of an account as one ZIP archive. */
@Injectable()
export class SelectionArchive {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly names: JobSourceNamesRepository,
    private readonly checksums: ResultChecksums,
    private readonly archive: ArchiveAnswer,
  ) {}

  /**
   * Leaves out results that are gone.
   * @param ids of jobs, in the order of the archive
   * @throws AppError `not_found` when none of the results is stored, `range_not_satisfiable`
   */
  async answer(
    accountId: string,
    ids: readonly string[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const nowMs = Date.now();
    const found = await Promise.all(ids.map((id) => this.jobs.read(accountId, id)));
    const kept = found.filter((job) => job !== undefined).filter((job) => hasStoredResult(job, nowMs));
    const [stored, names] = await Promise.all([
      this.checksums.of(kept.filter(({ deletedAt }) => deletedAt === null)),
      this.names.namesOf(accountId, ids),
    ]);
    if (stored.length === 0) throw new AppError('not_found', { detail: 'None of these results is stored.' });
    this.archive.send(selectedFiles(stored, names), NAME, request, reply);
  }
}
