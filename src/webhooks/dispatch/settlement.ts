import type { AttemptEnd } from '../../infra/telemetry/dispatcher/webhook-metrics.js';
import { retryAfterMs, retryPauseMs } from '../../kernel/webhooks/retry-schedule.js';
import type { DeliveryStatus } from '../deliveries/delivery.entity.js';
import type { FinishedAttempt } from './claimed-delivery.js';

/** The consequences of an attempt. */
export interface Settlement {
  readonly status: DeliveryStatus;
  /** Index of the next attempt in the schedule. */
  readonly step: number;
  /** Delay until the next attempt; null when there is none. */
  readonly nextInMs: number | null;
  /** The receiver responded with 410: its endpoint is disabled. */
  readonly isGone: boolean;
  /** The receiver accepts no events before this time. */
  readonly pauseInMs: number | null;
}

/** An attempt with its consequences. */
export interface SettledAttempt {
  readonly attempt: FinishedAttempt;
  readonly settlement: Settlement;
}

/** Statuses that are about the receiver, not this event (RFC 9110 §15.6.4, RFC 6585 §4). */
const ABOUT_ITSELF: ReadonlySet<number> = new Set([429, 503]);
const GONE = 410;

/** Whether the receiver accepted the event. */
export function isSuccess(attempt: FinishedAttempt): boolean {
  const status = attempt.outcome.answer?.status ?? 0;
  return status >= 200 && status < 300;
}

export function endOf(attempt: FinishedAttempt): AttemptEnd {
  if (attempt.outcome.answer === null) return 'unanswered';
  return isSuccess(attempt) ? 'succeeded' : 'refused';
}

/**
 * Decides the consequences of an attempt.
 * @param random from 0 to 1
 */
export function settle(attempt: FinishedAttempt, delaysMs: readonly number[], random: number): Settlement {
  const { row, outcome } = attempt;
  const end = { step: row.step, nextInMs: null, isGone: false, pauseInMs: null };
  if (isSuccess(attempt)) return { ...end, status: 'succeeded' };
  if (outcome.answer?.status === GONE) return { ...end, status: 'failed', isGone: true };
  const wishedMs = retryAfterMs(outcome.answer?.retryAfter, Date.now());
  const pauseInMs = outcome.answer !== null && ABOUT_ITSELF.has(outcome.answer.status) ? wishedMs : null;
  const step = row.step + 1;
  const pauseMs = retryPauseMs(delaysMs, step, random);
  if (pauseMs === null) return { ...end, pauseInMs, status: 'failed' };
  return { ...end, pauseInMs, status: 'pending', step, nextInMs: Math.max(pauseMs, wishedMs ?? 0) };
}
