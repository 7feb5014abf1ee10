import { t } from '@lingui/core/macro';
import { ApiError, ConnectionError, type Problem, TimeoutError } from 'image-enhancement-client';
import { fieldText } from './field-texts.js';
import { problemText } from './problem-texts.js';
import type { Upgrade } from './schema.js';

/** An error as shown to users. */
export interface ShownProblem {
  readonly title: string;
  readonly detail: string;
  readonly fields: readonly Problem['errors'][number][];
  /** The next plan with enough capacity. */
  readonly upgrade: Upgrade | null;
  readonly requestId: string | null;
  /** When a retry can succeed, in Unix milliseconds, if the service sent it. */
  readonly retryAtMs: number | null;
}

const NOTHING = { fields: [], upgrade: null, requestId: null, retryAtMs: null } as const;

/** When each error was first shown, so that a new render does not restart the countdown. */
const shownAtMs = new WeakMap<Error, number>();

/** The error and its remedy. Uses the service's text unless the dashboard has one in the reader's language. */
export function problemOf(error: Error): ShownProblem {
  if (error instanceof ApiError) return problemOfAnswer(error);
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return {
      ...NOTHING,
      title: t`Can't reach the service`,
      detail: t`Check your connection and try again.`,
    };
  return { ...NOTHING, title: t`Something went wrong`, detail: error.message };
}

const GONE = new Set([404, 410]);

/**
 * Whether something that the order names no longer exists, so that it needs a new idempotency key. After any other
 * error the key must be kept: an earlier attempt may have succeeded, although its response was lost.
 */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && GONE.has(error.status);
}

/** Whether the response blames the request, so that it is useless to repeat it. */
export function isRefused(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

function problemOfAnswer(error: ApiError): ShownProblem {
  const { problem, status, requestId, fieldErrors, retryAfterSeconds } = error;
  const own = problemText(error.code);
  const retryAtMs = retryAfterSeconds === null ? null : firstShown(error) + retryAfterSeconds * 1_000;
  return {
    title: own?.title ?? problem.title ?? t`Something went wrong`,
    detail: own?.detail ?? problem.detail ?? t`The service returned ${status}. Try again in a moment.`,
    fields: fieldErrors,
    upgrade: (problem.upgrade as Upgrade | undefined) ?? null,
    requestId,
    retryAtMs,
  };
}

function firstShown(error: Error): number {
  const atMs = shownAtMs.get(error) ?? Date.now();
  shownAtMs.set(error, atMs);
  return atMs;
}

/** The error of one form field. */
export function fieldFault(error: Error | null, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const fault = error.fieldErrors.find((one) => one.field === field);
  return fault === undefined ? undefined : fieldText(fault);
}

/** The service's message if the error has this code, for the field that the code concerns. */
export function codeFault(error: Error | null, code: string): string | undefined {
  return error instanceof ApiError && error.code === code ? problemOf(error).detail : undefined;
}
