import type { SmtpOutcome } from '../../infra/mail/smtp-outcome.js';

/** What happens to an email after an attempt. */
export interface MailSettlement {
  readonly status: 'pending' | 'sent' | 'refused' | 'given_up' | 'expired';
  readonly wasAttempted: boolean;
  /** Null for an email that was sent. */
  readonly error: string | null;
  /** Milliseconds until the next attempt; null if there is none. */
  readonly nextInMs: number | null;
}

/** Fraction of the delay that is added at random, so that mails from one outage are not retried all at once. */
const JITTER = 0.2;

export const EXPIRED: MailSettlement = {
  status: 'expired',
  wasAttempted: false,
  error: 'expired before it could be sent',
  nextInMs: null,
};

/**
 * @param attempts made, including this one
 * @param delaysMs before each attempt, including the first
 * @param random from 0 to below 1
 */
export function settleMail(
  { end, text }: SmtpOutcome,
  attempts: number,
  delaysMs: readonly number[],
  random: number,
): MailSettlement {
  const ended = { wasAttempted: true, nextInMs: null };
  if (end === 'accepted') return { ...ended, status: 'sent', error: null };
  if (end === 'refused') return { ...ended, status: 'refused', error: text };
  const delayMs = delaysMs[attempts];
  if (delayMs === undefined) return { ...ended, status: 'given_up', error: text };
  return { status: 'pending', wasAttempted: true, error: text, nextInMs: delayMs * (1 + JITTER * random) };
}
