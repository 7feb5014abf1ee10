import type { Job, JobError, Problem } from './generated/schema.js';

/** Error codes of the service. A newer service may have more. */
export type ApiErrorCode = Problem['code'] | (string & {});

/** The base class of everything that this library throws. `code` distinguishes errors. */
export class ImageEnhancementError extends Error {
  /**
   * The key of a call that creates something; otherwise null. Without a response, it is unknown whether the call
   * succeeded. Repeat the call with this `idempotencyKey` to get what was created, or to create it now.
   */
  idempotencyKey: string | null = null;
  /** The job that caused the error, if it is known. Pass it to `jobs.wait` or `result`. */
  jobId: string | null = null;

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    // Use the class name, so that it is readable in logs.
    this.name = new.target.name;
  }
}

/** The content of an error response, besides its status. */
export interface ApiErrorParts {
  readonly status: number;
  /** Null when an intermediary responded instead of the service. */
  readonly requestId: string | null;
  readonly problem: Partial<Problem>;
  /** Seconds to wait, if the response includes them. */
  readonly retryAfterSeconds: number | null;
}

/** The service responded with an error. */
export class ApiError extends ImageEnhancementError {
  readonly status: number;
  /** Include it in support requests. */
  readonly requestId: string | null;
  /** The whole problem document (RFC 9457). */
  readonly problem: Partial<Problem>;
  readonly retryAfterSeconds: number | null;

  constructor(parts: ApiErrorParts) {
    const { status, requestId, problem } = parts;
    const text = problem.detail ?? problem.title ?? `The service answered ${status}.`;
    const suffix = requestId === null ? '' : ` (request ${requestId})`;
    super(problem.code ?? `http_${status}`, `${text}${suffix}`);
    this.status = status;
    this.requestId = requestId;
    this.problem = problem;
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }

  /** All invalid fields, for `invalid_request`. */
  get fieldErrors(): Problem['errors'] {
    return this.problem.errors ?? [];
  }
}

/** The API key is missing, unknown, revoked, or expired (401). */
export class AuthenticationError extends ApiError {}

/** The key lacks a scope (403). */
export class PermissionError extends ApiError {
  /** The scopes of which at least one is required. */
  get requiredScopes(): readonly string[] {
    return this.problem.requiredScopes ?? [];
  }
}

/** The account's monthly enhancements or its storage are used up (403). */
export class QuotaExceededError extends ApiError {
  get quota(): 'enhancements' | 'storage' | undefined {
    return this.problem.quota;
  }
  get limit(): number | undefined {
    return this.problem.limit;
  }
  get used(): number | undefined {
    return this.problem.used;
  }
  /** When the quota resets; null when only deleting or upgrading helps. */
  get resetsAt(): Date | null {
    return this.problem.resetsAt == null ? null : new Date(this.problem.resetsAt);
  }
  /** The next plan with enough capacity. */
  get upgrade(): Problem['upgrade'] {
    return this.problem.upgrade;
  }
}

/** Too many requests (429). Waiting as requested took longer than the maximum wait. */
export class RateLimitError extends ApiError {}

/** The request is invalid (400, or 422 for an idempotency key that was used for a different request). */
export class InvalidRequestError extends ApiError {}

/** The service cannot process the file: its type, size, pixels, or damage (413, 415, 422). */
export class InvalidImageError extends ApiError {}

/** The account has no such resource (404). */
export class NotFoundError extends ApiError {}

/** The resource was deleted or has expired (410). */
export class GoneError extends ApiError {}

/** The current state does not allow the request (409). */
export class ConflictError extends ApiError {}

/** The service failed or is overloaded (5xx), even after retries. */
export class ServiceError extends ApiError {}

/** There was no response: the service is unreachable, or the connection broke. See `cause`. */
export class ConnectionError extends ImageEnhancementError {
  constructor(message: string, options?: ErrorOptions) {
    super('connection_failed', message, options);
  }
}

/** The call took longer than its timeout. */
export class TimeoutError extends ImageEnhancementError {
  /** @param jobId the job that continues, if one is known; a canceled job is named only in the message */
  constructor(message: string, jobId: string | null = null) {
    super('timeout', message);
    this.jobId = jobId;
  }
}

/**
 * The call was aborted. `cause` is the reason of your signal. With a `jobId` or an `idempotencyKey`, something may be
 * left behind: a job or batch that could not be canceled and may be charged, or what another call creates. Otherwise,
 * nothing is.
 */
export class AbortedError extends ImageEnhancementError {
  /** @param jobId a job that may continue, if known; otherwise, `idempotencyKey` identifies it */
  constructor(message: string, jobId: string | null, options: ErrorOptions) {
    super('aborted', message, options);
    this.jobId = jobId;
  }
}

/** The job has failed or was canceled. It was not charged. */
export class JobFailedError extends ImageEnhancementError {
  /** Whether an identical new job may succeed. */
  readonly retryable: boolean;

  constructor(readonly job: Job) {
    const error: JobError | null = job.error;
    super(error?.code ?? 'processing_failed', `${error?.message ?? 'The job has failed.'} (job ${job.id})`);
    this.retryable = error?.retryable ?? false;
    this.jobId = job.id;
  }
}

/** The signature of a webhook is invalid. `code` gives the reason. */
export class WebhookSignatureError extends ImageEnhancementError {
  constructor(
    override readonly code: WebhookFault,
    message: string,
  ) {
    super(code, message);
  }
}

export type WebhookFault =
  | 'missing_header'
  | 'malformed_header'
  | 'stale_timestamp'
  | 'future_timestamp'
  | 'signature_mismatch'
  | 'malformed_body';
