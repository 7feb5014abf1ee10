import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { Principal } from '../../kernel/principal.js';
import { secondsText } from '../../kernel/time/seconds-text.js';
import { RateLimitRepository } from '../../quotas/rate-limit/rate-limit.repository.js';

/** Copies of results that batches may make per minute, for each request per minute of the plan. */
const COPIES_PER_REQUEST = 10;

/**
 * Limits the results that the batches of an account copy. They cost no enhancement, so no quota bounds them, and one
 * request of a batch creates up to 1,000 jobs.
 */
@Injectable()
export class CopyRateLimit {
  constructor(private readonly rateLimits: RateLimitRepository) {}

  /**
   * Counts the copies of one batch.
   * @param on a rollback undoes the count
   * @throws AppError `rate_limited`
   */
  async take(on: Queryable, { accountId, limits }: Principal, copies: number): Promise<void> {
    const limit = limits.rpm * COPIES_PER_REQUEST;
    const decision = await this.rateLimits.takeWhole(on, `copies:${accountId}`, copies, limit);
    if (decision.allowed) return;
    throw new AppError('rate_limited', {
      detail: `Batches of this account are limited to ${limit} cached results per minute, and this batch has ${copies}. Retry in ${secondsText(decision.retryAfterSeconds)}.`,
      retryAfterSeconds: decision.retryAfterSeconds,
    });
  }
}
