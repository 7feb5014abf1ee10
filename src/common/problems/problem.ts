import type { AppError, FieldError } from '../../kernel/app-error.js';
import { ERROR_CODES, type ErrorCode } from '../../kernel/errors/error-codes.js';

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

/** Creates the public document of an error. */
export function problemOf(error: AppError, publicUrl: string, requestId: string): ProblemDocument {
  const { status, title } = ERROR_CODES[error.code];
  return {
    type: `${publicUrl}/docs/errors#${error.code}`,
    title,
    status,
    detail: error.detail,
    code: error.code,
    requestId,
    errors: error.errors,
    ...error.extensions,
  };
}
