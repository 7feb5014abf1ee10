import type { BatchDto, BatchFailureDto, BatchStatus } from '../../common/resources/batch.dto.js';
import type { JobDto } from '../../common/resources/job.dto.js';
import { livemodeOf } from '../../kernel/accounts/livemode.js';
import { DEFAULT_LEVEL } from '../../kernel/operations.js';
import { requestedSteps } from '../creation/requested-steps.js';
import type { Batch } from './batch.js';

/** A batch as clients and webhooks see it. */
export function presentBatch(batch: Batch): BatchDto {
  const { total, processing, completed, failed, canceled, request } = batch;
  const { operation, level = DEFAULT_LEVEL } = requestedSteps(request)[0]!.step;
  const ended = completed + failed + canceled;
  return {
    id: batch.id,
    livemode: livemodeOf(batch.accountId),
    status: statusOf(batch),
    counts: {
      total,
      queued: Math.max(0, total - processing - ended),
      processing,
      completed,
      failed,
      canceled,
    },
    percent: Math.floor((ended / total) * 100),
    operation,
    level,
    ...(request.presetName !== undefined && { preset: request.presetName }),
    ...(request.callbackUrl !== undefined && { callbackUrl: request.callbackUrl }),
    metadata: request.metadata,
    createdAt: batch.createdAt.toISOString(),
    completedAt: batch.completedAt?.toISOString() ?? null,
  };
}

function statusOf(batch: Batch): BatchStatus {
  if (batch.completedAt !== null)
    return batch.canceledAt !== null && batch.canceled > 0 ? 'canceled' : 'completed';
  const started = batch.processing + batch.completed + batch.failed + batch.canceled;
  return started > 0 ? 'processing' : 'queued';
}

/** A failed item; its job has an error. */
export function failureOf(job: JobDto): BatchFailureDto {
  return { index: job.batchIndex!, jobId: job.id, sourceUrl: job.sourceUrl, error: job.error! };
}
