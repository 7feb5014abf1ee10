import { Counter, Histogram } from 'prom-client';
import type { SmtpOutcome } from '../../mail/smtp-outcome.js';
import type { Metrics } from '../metrics.js';
import { addBacklogGauges } from './backlog-gauges.js';

/** Emails to send. */
export interface MailBacklog {
  /** Emails that will be sent, now or later. */
  readonly waiting: number;
  /** How long the oldest due email has been due; 0 without one. */
  readonly oldestDueSeconds: number;
}

/** Mail: the backlog from the database, and the attempts of this dispatcher. */
export class MailMetrics {
  private readonly attempts: Counter<'end'>;
  private readonly seconds: Histogram<'end'>;
  private readonly mails: Counter<'kind' | 'end'>;

  /**
   * @param backlog read at each scrape; every dispatcher reports the same values
   * @param kinds of emails; their failures start at 0, because `increase()` does not see the first value of a series
   */
  constructor(
    { registry }: Pick<Metrics, 'registry'>,
    backlog: () => Promise<MailBacklog>,
    kinds: readonly string[],
  ) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'ies_mail_attempts_total',
      help: 'Attempts of this dispatcher to send an email, by outcome.',
      labelNames: ['end'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'ies_mail_attempt_seconds',
      help: 'Time of one attempt to send an email, the connection included.',
      labelNames: ['end'],
      buckets: [0.03, 0.1, 0.3, 1, 3, 10, 30],
      registers,
    });
    this.mails = new Counter({
      name: 'ies_mails_total',
      help: 'Emails that this dispatcher finished: sent, refused by the mail server, given up after the last attempt, or expired.',
      labelNames: ['kind', 'end'],
      registers,
    });
    for (const kind of kinds) for (const end of ['given_up', 'expired']) this.mails.inc({ kind, end }, 0);
    addBacklogGauges(registry, backlog, [
      {
        name: 'ies_mails_waiting',
        help: 'Emails that will be sent, now or later.',
        value: ({ waiting }) => waiting,
      },
      {
        name: 'ies_mail_oldest_due_seconds',
        help: 'How long the oldest due email has been due.',
        value: ({ oldestDueSeconds }) => oldestDueSeconds,
      },
    ]);
  }

  attempt(end: SmtpOutcome['end'], seconds: number): void {
    this.attempts.inc({ end });
    this.seconds.observe({ end }, seconds);
  }

  ended(kind: string, end: 'sent' | 'refused' | 'given_up' | 'expired'): void {
    this.mails.inc({ kind, end });
  }
}
