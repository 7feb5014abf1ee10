import { ApiError, RateLimitError } from '../errors.js';
import { pause } from './pause.js';
import { isPassing, MAX_ASKED_MS } from './retry-budget.js';
import { throwIfAborted } from './throw-if-aborted.js';

/** How long the service may be unreachable during a wait, for example because of a restart or a network failure. */
const AWAY_MS = 120_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;

/** The growing pauses of a wait that polls, and its tolerance for an unreachable service. */
export class WaitPace {
  private awaySinceMs: number | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  /** The wait that the service has requested since the last pause. */
  private askedMs = 0;

  constructor(private readonly signal: AbortSignal) {}

  /** The service has responded. */
  answered(): void {
    this.awaySinceMs = undefined;
  }

  /** The service held the response, so no further pause is needed. */
  held(): void {
    this.pauseMs = 0;
  }

  /** @throws the error, unless waiting may help */
  consider(error: unknown): void {
    throwIfAborted(this.signal);
    if (!isPassing(error)) throw error;
    if (error instanceof ApiError) this.askedMs = (error.retryAfterSeconds ?? 0) * 1000;
    // A rate limit is not an outage. Only the timeout of the whole wait ends it.
    if (error instanceof RateLimitError) return;
    this.awaySinceMs ??= performance.now();
    if (performance.now() - this.awaySinceMs > AWAY_MS) throw error;
  }

  async rest(): Promise<void> {
    const ownMs = this.pauseMs * (0.75 + Math.random() / 4);
    // Added to the requested wait, because all rejected clients are given the same time.
    await pause(Math.min(this.askedMs, MAX_ASKED_MS) + ownMs, this.signal);
    this.askedMs = 0;
    this.pauseMs = Math.min(Math.max(this.pauseMs, FIRST_PAUSE_MS / 2) * 1.5, MAX_PAUSE_MS);
  }
}
