import type { Job, JobError, Problem } from './generated/schema.js';

/** Codes of answers of the service. A newer service may have more. */
export type ApiErrorCode = Problem['code'] | (string & {});

/** The base class of everything that this library throws. `code` distinguishes errors. */
export class ImageEnhancementError extends Error {
  /**
   * The key of a call that was to create something, else null. When no answer came, nobody knows whether it did: the
   * same call with this `idempotencyKey` goes on with what there is, and creates it if there is nothing.
   */
  idempotencyKey: string | null = null;
  /** The job that it happened with, if one is known; `jobs.wait` and `result` find it. */
  jobId: string | null = null;

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    // By the class, so that it stays readable in a log.
    this.name = new.target.name;
  }
}

/** What an answer of the service says, beside its status. */
export interface ApiErrorParts {
  readonly status: number;
  /** Null when something between here and the service answered. */
  readonly requestId: string | null;
  readonly problem: Partial<Problem>;
  /** Seconds to wait, when the answer says so. */
  readonly retryAfterSeconds: number | null;
}

/** The service answered with an error. */
export class ApiError extends ImageEnhancementError {
  readonly status: number;
  /** Quote it when you ask for help. */
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

  /** Every field that was wrong, for `invalid_request`. */
  get fieldErrors(): Problem['errors'] {
    return this.problem.errors ?? [];
  }
}

/** The API key is missing, unknown, revoked or expired (401). */
export class AuthenticationError extends ApiError {}

/** The key lacks a scope (403). */
export class PermissionError extends ApiError {
  /** Any one of these is needed. */
  get requiredScopes(): readonly string[] {
    return this.problem.requiredScopes ?? [];
  }
}

/** The monthly enhancements or the storage of the account are used up (403). */
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
  /** When there is room again; null when only deleting or upgrading helps. */
  get resetsAt(): Date | null {
    return this.problem.resetsAt == null ? null : new Date(this.problem.resetsAt);
  }
  /** The next plan that has room. */
  get upgrade(): Problem['upgrade'] {
    return this.problem.upgrade;
  }
}

/** Too many requests (429), and waiting as the service asked did not help in the time there was. */
export class RateLimitError extends ApiError {}

/** Something in the request is wrong (400, or 422 for an idempotency key that was used for something else). */
export class InvalidRequestError extends ApiError {}

/** The file is no image that the service can work on: type, size, pixels, damage (413, 415, 422). */
export class InvalidImageError extends ApiError {}

/** There is no such thing in this account (404). */
export class NotFoundError extends ApiError {}

/** It was deleted, or its time is over (410). */
export class GoneError extends ApiError {}

/** It cannot be done in the state that things are in (409). */
export class ConflictError extends ApiError {}

/** The service failed or is full (5xx), also after trying again. */
export class ServiceError extends ApiError {}

/** No answer came: the service cannot be reached, or the connection broke. `cause` says more. */
export class ConnectionError extends ImageEnhancementError {
  constructor(message: string, options?: ErrorOptions) {
    super('connection_failed', message, options);
  }
}

/** It took longer than you allowed. */
export class TimeoutError extends ImageEnhancementError {
  /** @param jobId the job, if one is known; the message says whether it goes on */
  constructor(message: string, jobId: string | null = null) {
    super('timeout', message);
    this.jobId = jobId;
  }
}

/**
 * You aborted a call. `cause` is the reason of your signal. With a `jobId` or an `idempotencyKey`, the service could not
 * be reached to cancel the job, which may continue and count; otherwise nothing is left behind.
 */
export class AbortedError extends ImageEnhancementError {
  /** @param jobId a job that may continue, if known; otherwise `idempotencyKey` leads to it */
  constructor(message: string, jobId: string | null, options: ErrorOptions) {
    super('aborted', message, options);
    this.jobId = jobId;
  }
}

/** The job has failed or was canceled. It cost nothing. */
export class JobFailedError extends ImageEnhancementError {
  /** Whether the same job may succeed when it is created again. */
  readonly retryable: boolean;

  constructor(readonly job: Job) {
    const error: JobError | null = job.error;
    super(error?.code ?? 'processing_failed', `${error?.message ?? 'The job has failed.'} (job ${job.id})`);
    this.retryable = error?.retryable ?? false;
    this.jobId = job.id;
  }
}

/** A webhook's signature does not hold; `code` says why. */
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
