import { Injectable } from '@nestjs/common';
import { ERROR_CODES } from '../kernel/errors/error-codes.js';
import { livemodeOf } from '../kernel/accounts/livemode.js';
import type { ImageFormat } from '../kernel/operations.js';
import { FileUrls } from '../uploads/files/file-urls.js';
import type { JobDto, JobOperationDto, JobResultDto } from '../common/resources/job.dto.js';
import type { JobOutputDto } from '../common/resources/job-output.dto.js';
import type { JobEntity } from './job.entity.js';
import { stepsOf } from './job-step.js';

/** A job with the parts of its source URL. */
export interface JobWithSource extends JobEntity {
  readonly sourceFormat: ImageFormat;
}

/** Converts a row to what clients and webhooks see. */
@Injectable()
export class JobPresenter {
  constructor(private readonly fileUrls: FileUrls) {}

  present(job: JobWithSource): JobDto {
    const result = resultOf(job);
    return {
      id: job.id,
      livemode: livemodeOf(job.accountId),
      status: job.status,
      operation: job.operation,
      level: job.level,
      operations: this.operationsOf(job),
      ...(job.preset === null ? {} : { preset: job.preset }),
      sourceUrl: this.fileUrls.sign(job.sourceId, job.sourceFormat),
      ...(result === undefined ? {} : { resultUrl: this.fileUrls.sign(job.id, result.format), result }),
      error:
        job.errorCode === null
          ? null
          : {
              code: job.errorCode,
              message: job.errorMessage ?? ERROR_CODES[job.errorCode].text,
              retryable: ERROR_CODES[job.errorCode].retryable,
            },
      output: this.outputOf(job),
      progress: Math.round(job.progress * 1000) / 1000,
      attempts: job.attempts,
      model: job.model,
      device: job.device,
      ...(job.precision == null ? {} : { precision: job.precision }),
      timings: job.timings,
      ...(job.cached === true ? { cached: true as const } : {}),
      ...(job.callbackUrl == null ? {} : { callbackUrl: job.callbackUrl }),
      ...(job.cancelAt == null ? {} : { cancelAt: job.cancelAt.toISOString() }),
      ...(job.retention == null ? {} : { retention: job.retention }),
      metadata: job.metadata,
      ...(job.batchId === null ? {} : { batchId: job.batchId, batchIndex: job.batchIndex! }),
      createdAt: job.createdAt.toISOString(),
      startedAt: job.startedAt?.toISOString() ?? null,
      completedAt: job.completedAt?.toISOString() ?? null,
    };
  }

  private operationsOf(job: JobEntity): JobOperationDto[] {
    const isSingle = job.steps === null || job.steps.length === 1;
    return stepsOf(job).map(({ operation, level, strength, resize, mask, ...step }) => {
      const model = isSingle ? job.model : (step.model ?? null);
      const inferenceMs = isSingle ? job.timings?.inferenceMs : step.inferenceMs;
      const timings = inferenceMs === undefined ? null : { inferenceMs };
      const options = Object.assign({}, strength === undefined ? {} : { strength }, resize);
      if (mask !== undefined)
        Object.assign(options, { mask: { sourceUrl: this.fileUrls.sign(mask.sourceId, mask.format) } });
      return Object.assign(options, { operation, level, model, timings });
    });
  }

  /** As a request would state it. */
  private outputOf({ output }: JobEntity): JobOutputDto {
    const { mostPixels: _internal, background, ...rest } = output;
    if (typeof background !== 'object' || background === null) return { ...rest, background };
    const { sourceId, format, fit } = background;
    return { ...rest, background: { sourceUrl: this.fileUrls.sign(sourceId, format), fit } };
  }
}

function resultOf(job: JobEntity): JobResultDto | undefined {
  if (job.status !== 'completed') return undefined;
  return {
    format: job.resultFormat!,
    width: job.resultWidth!,
    height: job.resultHeight!,
    bytes: job.resultBytes!,
    sha256: job.resultSha256!,
    expiresAt: job.resultExpiresAt!.toISOString(),
    ...(job.resultApplied !== null && { applied: job.resultApplied }),
  };
}
