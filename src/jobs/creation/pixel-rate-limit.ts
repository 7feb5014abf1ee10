import { Inject, Injectable } from '@nestjs/common';
import { RateLimitRepository } from '../../quotas/rate-limit/rate-limit.repository.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { Principal } from '../../kernel/principal.js';
import { secondsText } from '../../kernel/time/seconds-text.js';

/** Counters are 32-bit integers, so they count in thousands of pixels. */
const PIXELS_PER_UNIT = 1_000;

/** Limits the source pixels per minute of new jobs of one account. Off unless configured. */
@Injectable()
export class PixelRateLimit {
  constructor(
    private readonly rateLimits: RateLimitRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'pixelsPerMinute'>,
  ) {}

  /** Whether `take` counts anything for this plan; it then needs a transaction. */
  limits({ plan }: Pick<Principal, 'plan'>): boolean {
    return this.config.pixelsPerMinute[plan] !== undefined;
  }

  /**
   * Counts a job's pixels; exact under concurrency.
   * @param on the transaction that creates the job; a rollback undoes the count
   * @throws AppError `pixel_rate_limited`
   */
  async take(on: Queryable, { accountId, plan }: Principal, pixels: number): Promise<void> {
    const perMinute = this.config.pixelsPerMinute[plan];
    if (perMinute === undefined) return;
    const limit = Math.ceil(perMinute / PIXELS_PER_UNIT);
    const units = Math.ceil(pixels / PIXELS_PER_UNIT);
    const decision = await this.rateLimits.takeWhole(on, `pixels:${accountId}`, units, limit);
    if (decision.allowed) return;
    throw new AppError('pixel_rate_limited', {
      detail: `This account is limited to ${perMinute} source pixels per minute, and this job needs ${pixels}. Retry in ${secondsText(decision.retryAfterSeconds)}, or send a smaller image.`,
      retryAfterSeconds: decision.retryAfterSeconds,
    });
  }
}
