/** One wrong field of a request, as the service names it. */
export interface FieldError {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** The next plan that has room, with every refused quota. */
export interface Upgrade {
  readonly plan: string;
  readonly url: string;
  readonly note?: string;
}

/** An error document (RFC 9457) as the service writes it. */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string | null;
  readonly errors: readonly FieldError[];
  readonly upgrade?: Upgrade;
  readonly resetsAt?: string | null;
}

/**
 * Anything that kept a request from succeeding. `status` 0: there was no answer. `message` says what was wrong
 * and what to do, in words for people.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly requestId: string | null;
  readonly fields: readonly FieldError[];
  readonly upgrade: Upgrade | null;
  readonly retryAfterSeconds: number | null;
  /** When it can work again, in Unix milliseconds, if the service said so. */
  readonly retryAtMs: number | null;

  constructor(problem: Problem, retryAfterSeconds: number | null = null) {
    super(problem.detail);
    this.name = 'ApiError';
    this.status = problem.status;
    this.code = problem.code;
    this.title = problem.title;
    this.requestId = problem.requestId;
    this.fields = problem.errors;
    this.upgrade = problem.upgrade ?? null;
    this.retryAfterSeconds = retryAfterSeconds;
    this.retryAtMs = retryAfterSeconds === null ? null : Date.now() + retryAfterSeconds * 1_000;
  }
}

/** @returns the error that stands for "nothing answered" */
export function unreachable(): ApiError {
  return new ApiError({
    title: 'The service does not answer',
    status: 0,
    detail: 'Check your connection and that the service runs, then try again.',
    code: 'unreachable',
    requestId: null,
    errors: [],
  });
}

/** Reads an answer that is not 2xx; anything but a problem document becomes a general one. */
export function problemOf(status: number, text: string): Problem {
  const parsed = parse(text);
  if (parsed !== null) return { ...parsed, errors: parsed.errors ?? [], requestId: parsed.requestId ?? null };
  return {
    title: 'Something went wrong',
    status,
    detail: `The service answered ${status} without saying why. Try again in a moment.`,
    code: 'unknown',
    requestId: null,
    errors: [],
  };
}

function parse(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof value === 'object' && value !== null && 'detail' in value && 'code' in value;
    return isProblem ? (value as Problem) : null;
  } catch {
    return null;
  }
}
