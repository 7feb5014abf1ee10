import type { Readable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { whenClosed } from '../common/requests/when-closed.js';
import type { JobDto } from '../common/resources/job.dto.js';
import { ObjectStore } from '../infra/storage/object-store.js';
import { AppError } from '../kernel/app-error.js';
import type { OutputDto } from '../jobs/creation/output/output.dto.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { JobsService } from '../jobs/jobs.service.js';
import { resultFile } from '../jobs/result-file.js';
import { FileUrls } from '../uploads/files/file-urls.js';
import { SourcesService } from '../uploads/sources/sources.service.js';
import { isRepeatable } from '../infra/database/database-errors.js';

export interface OpenResult {
  readonly stream: Readable;
  readonly sizeBytes: number;
}

const RETRY_AFTER_SECONDS = 5;
const NOT_READ =
  'The job was carried out and charged, but its result could not be read. Each retry is charged as well.';

/** Jobs whose source and result are erased once the result was sent or the client has disconnected. */
@Injectable()
export class EphemeralJobs {
  private readonly logger = new Logger('compat');

  constructor(
    private readonly jobs: JobsService,
    private readonly rows: JobsRepository,
    private readonly sources: SourcesService,
    private readonly fileUrls: FileUrls,
    private readonly store: ObjectStore,
  ) {}

  /**
   * Opens the pixels of a completed job. They are erased when the response is over.
   * @throws AppError `gone`; `service_unavailable`, whose detail says that the job was charged
   */
  async open(accountId: string, job: JobDto, response: ServerResponse): Promise<OpenResult> {
    whenClosed(response, () => void this.erase(accountId, job));
    try {
      return await this.result(accountId, job);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      throw new AppError('service_unavailable', {
        detail: NOT_READ,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        internal: String(error),
        cause: error,
      });
    }
  }

  private async result(accountId: string, { id }: JobDto): Promise<OpenResult> {
    const row = await this.rows.read(accountId, id);
    const file = row === undefined ? null : resultFile(row);
    if (file === null || file.goneBecause !== null) throw new AppError('gone');
    return this.store.open(file.objectKey);
  }

  /**
   * Erases the source and the result. What cannot be erased now expires, except for a background picture.
   * @returns whether the job was canceled, and so not charged; false also when that is not known
   */
  async erase(accountId: string, { id, output }: JobDto): Promise<boolean> {
    let isCanceled = false;
    try {
      // With the source, because its retention is "deliver".
      isCanceled = await this.jobs.delete(accountId, id);
    } catch (error) {
      this.logger.warn({ jobId: id, error: String(error) }, 'could not erase the images of a request');
    }
    await this.eraseBackground(accountId, output);
    return isCanceled;
  }

  /** Erases the uploaded background picture, if there is one. If that fails, it stays listed in the account. */
  async eraseBackground(accountId: string, { background }: Pick<OutputDto, 'background'>): Promise<void> {
    if (typeof background !== 'object' || background === null) return;
    try {
      const sourceId = this.fileUrls.sourceIdIn(background.sourceUrl);
      if (sourceId !== undefined) await this.sources.delete(accountId, sourceId);
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'could not erase the background of a request');
    }
  }
}

/** Whether the database or the object store is unavailable. */
function isUnavailable(error: unknown): boolean {
  return isRepeatable(error) || (error instanceof AppError && error.code === 'service_unavailable');
}
