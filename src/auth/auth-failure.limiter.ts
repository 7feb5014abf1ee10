import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { AppError } from '../kernel/app-error.js';
import { RateLimitRepository } from './rate-limit.repository.js';

/** Slows down whoever tries keys: failed authentications are counted for each client address. */
@Injectable()
export class AuthFailureLimiter {
  constructor(
    private readonly rateLimits: RateLimitRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Counts one failure. @throws AppError `too_many_failed_authentications` (429) past the limit. */
  async count(address: string): Promise<void> {
    const decision = await this.rateLimits.take(`auth:${address}`, this.config.authFailuresPerMinute);
    if (!decision.allowed) {
      throw new AppError('too_many_failed_authentications', {
        retryAfterSeconds: decision.retryAfterSeconds,
      });
    }
  }
}
