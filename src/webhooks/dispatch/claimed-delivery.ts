import type { PreviousSecret } from '../endpoints/endpoint.entity.js';
import type { KeptEvent } from '../events/event-body.js';

/** Where a claimed delivery goes. */
export interface Destination {
  readonly endpointId: string;
  readonly url: string;
  readonly sealedSecret: Buffer;
  readonly previousSecrets: readonly PreviousSecret[];
}

/** The answer of a receiver, as far as it is kept. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** At most 4 kB. */
  readonly body: string;
}

/** What one attempt met: an answer, or a sentence about why there is none; or both, when the answer broke off. */
export type Outcome =
  | { readonly answer: ReceivedAnswer; readonly error: string | null }
  | { readonly answer: null; readonly error: string };

export interface ClaimedRow {
  readonly id: string;
  /** The number of this claim; only who holds it can record a result. */
  readonly claim: number;
  /** Which attempt of the schedule this is, from 0 on. */
  readonly step: number;
  readonly event: KeptEvent;
  readonly destination: Destination;
}

/**
 * A delivery in this dispatcher's hands. The one way to a result that can be recorded is an attempt that was
 * made and met something (`finish`): a result that was not obtained cannot be written down.
 */
export class ClaimedDelivery {
  constructor(
    readonly row: ClaimedRow,
    /** On the clock of `performance.now()`: after that another dispatcher may take it. */
    readonly leaseEndsMs: number,
  ) {}

  /** Call it as the attempt begins, and the returned function with what it met. */
  begin(): (outcome: Outcome) => FinishedAttempt {
    const startedAt = new Date();
    const startedMs = performance.now();
    return (outcome) =>
      FinishedAttempt.of(this.row, startedAt, Math.round(performance.now() - startedMs), outcome);
  }
}

/** An attempt that was made, with what came of it. */
export class FinishedAttempt {
  private constructor(
    readonly row: ClaimedRow,
    readonly startedAt: Date,
    readonly durationMs: number,
    readonly outcome: Outcome,
  ) {}

  /** For `ClaimedDelivery.begin` alone. */
  static of(row: ClaimedRow, startedAt: Date, durationMs: number, outcome: Outcome): FinishedAttempt {
    return new FinishedAttempt(row, startedAt, durationMs, outcome);
  }
}
