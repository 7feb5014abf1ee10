import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { clientBucket } from './client-address.js';
import { RateLimitRepository } from '../quotas/rate-limit/rate-limit.repository.js';

/** The most slowed addresses in memory. Beyond that, all are forgotten, which costs one query each. */
const MAX_REMEMBERED = 10_000;
/** The delay of the 401 for a slowed address. */
const DELAY_MS = 1_000;
/** The most delayed responses; further ones are sent at once. */
const MAX_DELAYED = 1_000;

/**
 * Slows down clients that guess keys: failed authentications are counted per client address, and above the
 * limit the 401 is delayed. Valid keys from the same address are not affected.
 */
@Injectable()
export class AuthFailureLimiter {
  private readonly slowedUntilMs = new Map<string, number>();
  private delayed = 0;

  constructor(
    private readonly rateLimits: RateLimitRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Whether an address is known to exceed its limit. Does not query the database: a flood of guesses must not become a
   * flood of queries.
   */
  isSlowed(address: string): boolean {
    const bucket = clientBucket(address);
    const untilMs = this.slowedUntilMs.get(bucket);
    if (untilMs === undefined) return false;
    if (untilMs > performance.now()) return true;
    this.slowedUntilMs.delete(bucket);
    return false;
  }

  /** Counts one failure. Resolves late for an address that exceeds its limit. */
  async count(address: string): Promise<void> {
    if (!this.isSlowed(address) && (await this.isWithinLimit(address))) return;
    if (this.delayed >= MAX_DELAYED) return;
    this.delayed += 1;
    await pause(DELAY_MS);
    this.delayed -= 1;
  }

  private async isWithinLimit(address: string): Promise<boolean> {
    const bucket = clientBucket(address);
    const decision = await this.rateLimits.take(`auth:${bucket}`, this.config.authFailuresPerMinute);
    if (decision.allowed) return true;
    if (this.slowedUntilMs.size >= MAX_REMEMBERED) this.slowedUntilMs.clear();
    this.slowedUntilMs.set(bucket, performance.now() + decision.retryAfterSeconds * 1000);
    return false;
  }
}
