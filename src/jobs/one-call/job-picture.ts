import { Injectable, StreamableFile } from '@nestjs/common';
import type { JobDto } from '../../common/resources/job.dto.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { AppError } from '../../kernel/app-error.js';
import type { ErrorCode } from '../../kernel/errors/error-codes.js';
import { IMAGE_CONTENT_TYPES } from '../../kernel/operations.js';
import { JobsRepository } from '../jobs.repository.js';
import { counted } from '../../uploads/files/sent-bytes.js';
import { ResultDelivery } from '../delivery/result-delivery.js';

/** Answers a request that waited for a job with the picture itself. */
@Injectable()
export class JobPicture {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly store: ObjectStore,
    private readonly delivery: ResultDelivery,
  ) {}

  /**
   * @param key the `Idempotency-Key` of the request: a repetition gets the same failed job, however long it waits
   * @returns the picture (200), or null when the job has not ended
   * @throws AppError the error of a failed job, with `jobId`; `gone`
   */
  async of(job: JobDto, key: string | undefined, reply: FastifyReply): Promise<StreamableFile | null> {
    const { id, status, error } = job;
    reply.headers({ 'X-Job-Id': id, Link: `</api/ai/enhance/${id}>; rel="describedby"` });
    if (status === 'failed' && error !== null)
      throw new AppError(error.code as ErrorCode, {
        detail: error.message,
        extensions: { jobId: id },
        ...(error.retryable && key === undefined && { retryAfterSeconds: 1 }),
      });
    if (status !== 'completed') return null;
    const row = await this.jobs.findById(id);
    const file = row === undefined ? null : this.delivery.fileOf(row);
    if (file === null || file.goneBecause !== null) throw new AppError('gone');
    const { stream, sizeBytes } = await this.store.open(file.objectKey);
    reply.status(200).headers({
      'Content-Location': job.resultUrl,
      'Content-Disposition': 'inline',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    const body =
      file.onSent === undefined
        ? stream
        : counted(stream, reply, { start: 0, length: sizeBytes }, file.onSent);
    return new StreamableFile(body, { type: IMAGE_CONTENT_TYPES[file.format], length: sizeBytes });
  }
}
