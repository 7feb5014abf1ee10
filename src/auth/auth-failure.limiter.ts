import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { AppError } from '../kernel/app-error.js';
import { clientBucket } from './client-address.js';
import { RateLimitRepository } from './rate-limit.repository.js';

/** Clients remembered as refused; past it all are forgotten, which costs only their next query. */
const MAX_REMEMBERED = 10_000;

/** Slows down whoever tries keys: failed authentications are counted for each client address. */
@Injectable()
export class AuthFailureLimiter {
  private readonly refusedUntilMs = new Map<string, number>();

  constructor(
    private readonly rateLimits: RateLimitRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Refuses a client that is known to be over the limit, without asking the database: a flood of guesses
   * must not become a flood of queries.
   * @throws AppError `too_many_failed_authentications` (429)
   */
  refuseKnown(address: string): void {
    const bucket = clientBucket(address);
    const untilMs = this.refusedUntilMs.get(bucket);
    if (untilMs === undefined) return;
    const leftMs = untilMs - Date.now();
    if (leftMs > 0) throw refusal(Math.ceil(leftMs / 1000));
    this.refusedUntilMs.delete(bucket);
  }

  /** Counts one failure. @throws AppError `too_many_failed_authentications` (429) past the limit. */
  async count(address: string): Promise<void> {
    const bucket = clientBucket(address);
    const decision = await this.rateLimits.take(`auth:${bucket}`, this.config.authFailuresPerMinute);
    if (decision.allowed) return;
    if (this.refusedUntilMs.size >= MAX_REMEMBERED) this.refusedUntilMs.clear();
    this.refusedUntilMs.set(bucket, Date.now() + decision.retryAfterSeconds * 1000);
    throw refusal(decision.retryAfterSeconds);
  }
}

function refusal(retryAfterSeconds: number): AppError {
  return new AppError('too_many_failed_authentications', { retryAfterSeconds });
}
