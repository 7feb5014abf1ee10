import { AppError, type FieldError } from '../../kernel/app-error.js';
import { ERROR_CODES, type ErrorCode } from '../../kernel/error-codes.js';

/** The body of every error response (RFC 9457). Some codes add members. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly errors: readonly FieldError[];
  readonly [extension: string]: unknown;
}

/** Makes the public document of an error. Codes that have no HTTP status of their own are internal errors. */
export function problemOf(error: AppError, publicUrl: string, requestId: string): ProblemDocument {
  const shown = ERROR_CODES[error.code].status === null ? new AppError('internal_error') : error;
  const { status, title } = ERROR_CODES[shown.code];
  return {
    type: `${publicUrl}/docs/errors#${shown.code}`,
    title,
    status: status ?? 500,
    detail: shown.detail,
    code: shown.code,
    requestId,
    errors: shown.errors,
    ...shown.extensions,
  };
}
