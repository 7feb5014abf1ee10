import { ERROR_CODES, type ErrorCode } from './errors/error-codes.js';

/** One error of one field, as listed under `errors` of a problem document. */
export interface FieldError {
  /** Path of the field in the request, for example `output.quality`. */
  readonly field: string;
  /** Machine-readable reason, for example `required`, `unknown`, `enum`. */
  readonly code: string;
  readonly message: string;
}

export interface AppErrorOptions {
  /** Public text: what was wrong and what to do. Defaults to the text of the table. */
  readonly detail?: string;
  /** Internal text: goes to the log only, never to a client. */
  readonly internal?: string;
  readonly errors?: readonly FieldError[];
  /** Extra members of the problem document (RFC 9457 extension members). */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Seconds for `Retry-After`. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** An error with public text. Any other error reaches a client as `internal_error`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.internal ?? options.detail ?? ERROR_CODES[code].title, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = options.detail ?? ERROR_CODES[code].text;
    this.errors = options.errors ?? [];
    this.extensions = options.extensions ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
