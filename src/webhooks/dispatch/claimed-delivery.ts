import type { PreviousSecret } from '../endpoints/endpoint.entity.js';
import type { KeptEvent } from '../events/event-body.js';

/** The endpoint of a claimed delivery. */
export interface Destination {
  readonly endpointId: string;
  readonly url: string;
  /** The URL of the endpoint at the claim: the origin of `url` for a callback, otherwise `url`. */
  readonly endpointUrl: string;
  readonly isCallback: boolean;
  readonly sealedSecret: Buffer;
  readonly previousSecrets: readonly PreviousSecret[];
}

/** The stored part of a response. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** At most 4 kB. */
  readonly body: string;
}

/** The outcome of an attempt: a response, an error text, or both if the response was cut off. */
export type Outcome =
  | { readonly answer: ReceivedAnswer; readonly error: string | null }
  | { readonly answer: null; readonly error: string };

export interface ClaimedRow {
  readonly id: string;
  /** Number of this claim; only its holder can store a result. */
  readonly claim: number;
  /** Index of the attempt in the schedule, from 0. */
  readonly step: number;
  readonly event: KeptEvent;
  readonly destination: Destination;
  /** The trace in which the event was written. */
  readonly traceparent: string | null;
}

/**
 * A delivery claimed by this dispatcher. A result can only be stored after an attempt was made and had an
 * outcome (`finish`).
 */
export class ClaimedDelivery {
  constructor(
    readonly row: ClaimedRow,
    /** Expiry on the clock of `performance.now()`: then another dispatcher may claim it. */
    readonly leaseEndsMs: number,
  ) {}

  /** Call it when the attempt starts, and the returned function with its outcome. */
  begin(): (outcome: Outcome) => FinishedAttempt {
    const startedAt = new Date();
    const startedMs = performance.now();
    return (outcome) =>
      FinishedAttempt.of(this.row, startedAt, Math.round(performance.now() - startedMs), outcome);
  }
}

/** An attempt with its outcome. */
export class FinishedAttempt {
  private constructor(
    readonly row: ClaimedRow,
    readonly startedAt: Date,
    readonly durationMs: number,
    readonly outcome: Outcome,
  ) {}

  /** Used by `ClaimedDelivery.begin` only. */
  static of(row: ClaimedRow, startedAt: Date, durationMs: number, outcome: Outcome): FinishedAttempt {
    return new FinishedAttempt(row, startedAt, durationMs, outcome);
  }
}
