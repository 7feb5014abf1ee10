import { ApiError, ImageEnhancementError, QuotaExceededError } from '../errors.js';

/** Describes an error to a user, in one or two lines, with the job that it leaves behind. */
export function describeError(error: unknown): string {
  const text = messageOf(error);
  const jobId = error instanceof ImageEnhancementError ? error.jobId : null;
  return jobId === null || text.includes(jobId) ? text : `${text} (job ${jobId})`;
}

function messageOf(error: unknown): string {
  if (error instanceof QuotaExceededError && error.upgrade?.url !== undefined) {
    return `${error.message}\n  ${error.upgrade.plan ?? 'More'}: ${error.upgrade.url}`;
  }
  if (error instanceof ApiError && error.fieldErrors.length > 0) {
    const { fieldErrors } = error;
    // The message of the problem often contains that of its only field.
    const news = fieldErrors.filter(({ message }) => !error.message.includes(message));
    const fields = news.map(({ field, message }) => `\n  ${field}: ${message}`);
    return `${error.message}${fields.join('')}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** An error as JSON. */
export function errorJson(error: unknown): Record<string, unknown> {
  return {
    code:
      error instanceof ImageEnhancementError ? error.code : ((error as { code?: string }).code ?? 'error'),
    message: error instanceof Error ? error.message : String(error),
    ...(error instanceof ApiError ? { status: error.status, requestId: error.requestId } : {}),
    ...(error instanceof ImageEnhancementError
      ? { jobId: error.jobId, idempotencyKey: error.idempotencyKey }
      : {}),
  };
}
