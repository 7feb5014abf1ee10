import { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../metrics.js';
import { addBacklogGauges } from './backlog-gauges.js';

/** The outcome of an attempt; `unanswered`: no connection, no response, or a timeout. */
const ATTEMPT_ENDS = ['succeeded', 'refused', 'unanswered'] as const;
export type AttemptEnd = (typeof ATTEMPT_ENDS)[number];

/** Pending events and deliveries. */
export interface WebhookBacklog {
  /** Events that have not been turned into deliveries. */
  readonly events: number;
  /** Deliveries that will be attempted, now or later. */
  readonly pending: number;
  /** Due deliveries, including those in progress. */
  readonly due: number;
  /** How long the oldest due delivery to an endpoint that answers has been due; 0 without one. */
  readonly oldestDueSeconds: number;
}

/** Webhooks: the backlog from the database, and the attempts of this dispatcher. */
export class WebhookMetrics {
  private readonly attempts: Counter<'end'>;
  private readonly seconds: Histogram<'end'>;
  private readonly disabled: Counter<'reason'>;

  /** @param backlog read at each scrape; every dispatcher reports the same values */
  constructor({ registry }: Pick<Metrics, 'registry'>, backlog: () => Promise<WebhookBacklog>) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'ies_webhook_attempts_total',
      help: 'Delivery attempts of this dispatcher, by outcome.',
      labelNames: ['end'],
      registers,
    });
    // A rate needs a sample before the first attempt.
    for (const end of ATTEMPT_ENDS) this.attempts.inc({ end }, 0);
    this.seconds = new Histogram({
      name: 'ies_webhook_attempt_seconds',
      help: 'Time of one attempt, connection and response included.',
      labelNames: ['end'],
      buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
      registers,
    });
    this.disabled = new Counter({
      name: 'ies_webhook_endpoints_disabled_total',
      help: 'Endpoints that this dispatcher has disabled.',
      labelNames: ['reason'],
      registers,
    });
    addBacklogGauges(registry, backlog, [
      {
        name: 'ies_webhook_events_waiting',
        help: 'Events that have not been turned into deliveries.',
        value: ({ events }) => events,
      },
      {
        name: 'ies_webhook_deliveries_waiting',
        help: 'Deliveries that will be attempted, now or by the schedule of retries.',
        value: ({ pending }) => pending,
      },
      {
        name: 'ies_webhook_deliveries_due',
        help: 'Deliveries that are due now.',
        value: ({ due }) => due,
      },
      {
        name: 'ies_webhook_oldest_due_seconds',
        help: 'How long the oldest due delivery has been due, without endpoints that fail or asked for a pause.',
        value: ({ oldestDueSeconds }) => oldestDueSeconds,
      },
    ]);
  }

  attempt(end: AttemptEnd, seconds: number): void {
    this.attempts.inc({ end });
    this.seconds.observe({ end }, seconds);
  }

  endpointDisabled(reason: string): void {
    this.disabled.inc({ reason });
  }
}
