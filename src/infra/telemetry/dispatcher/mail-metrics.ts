import { Counter, Gauge, Histogram } from 'prom-client';
import type { SmtpOutcome } from '../../mail/smtp-outcome.js';
import type { Metrics } from '../metrics.js';
import { sharedRead } from '../shared-read.js';

/** Mails to send. */
export interface MailBacklog {
  /** Mails that will be sent, now or later. */
  readonly waiting: number;
  /** How long the oldest due mail has been due; 0 without one. */
  readonly oldestDueSeconds: number;
}

/** Mail: the backlog from the database, and the attempts of this dispatcher. */
export class MailMetrics {
  private readonly attempts: Counter<'end'>;
  private readonly seconds: Histogram<'end'>;
  private readonly mails: Counter<'kind' | 'end'>;

  /** @param backlog read at each scrape; every dispatcher reports the same values */
  constructor({ registry }: Pick<Metrics, 'registry'>, backlog: () => Promise<MailBacklog>) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'ies_mail_attempts_total',
      help: 'Attempts of this dispatcher to send a mail, by how they ended.',
      labelNames: ['end'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'ies_mail_attempt_seconds',
      help: 'Time of one attempt to send a mail, the connection included.',
      labelNames: ['end'],
      buckets: [0.03, 0.1, 0.3, 1, 3, 10, 30],
      registers,
    });
    this.mails = new Counter({
      name: 'ies_mails_total',
      help: 'Mails that ended in this dispatcher: sent, refused by the mail server, given up after the last attempt, or expired.',
      labelNames: ['kind', 'end'],
      registers,
    });
    this.showBacklog(registry, backlog);
  }

  attempt(end: SmtpOutcome['end'], seconds: number): void {
    this.attempts.inc({ end });
    this.seconds.observe({ end }, seconds);
  }

  ended(kind: string, end: 'sent' | 'refused' | 'given_up' | 'expired'): void {
    this.mails.inc({ kind, end });
  }

  private showBacklog(registry: Metrics['registry'], backlog: () => Promise<MailBacklog>): void {
    const read = sharedRead(backlog);
    const gauge = (name: string, help: string, value: (backlog: MailBacklog) => number): void => {
      const shown: Gauge = new Gauge({
        name,
        help,
        registers: [registry],
        collect: async () => {
          const now = await read();
          // Without a database response there is no series instead of an outdated value.
          if (now === undefined) shown.remove();
          else shown.set(value(now));
        },
      });
    };
    gauge('ies_mails_waiting', 'Mails that will be sent, now or later.', ({ waiting }) => waiting);
    gauge(
      'ies_mail_oldest_due_seconds',
      'How long the oldest due mail has been due.',
      ({ oldestDueSeconds }) => oldestDueSeconds,
    );
  }
}
