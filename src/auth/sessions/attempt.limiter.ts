import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { clientBucket } from '../client-address.js';
import { type BucketLimit, RateLimitRepository } from '../../quotas/rate-limit/rate-limit.repository.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';

/** One address for many accounts, or one account from many addresses: this many times the limit of a pair. */
const WIDER = 5;
/** Requests of one address with credentials in any shape: wider than all that follow, which say more. */
const WIDEST = 2 * WIDER;

/**
 * Slows down whoever tries passwords. Counted before any work is done, and the same whether or not there is
 * such an account. A pair of account and client address has a limit of its own, so that somebody who guesses
 * from elsewhere shuts the owner out only at five times that pace.
 */
@Injectable()
export class AttemptLimiter {
  constructor(
    private readonly rateLimits: RateLimitRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Counts a request whose body nobody has looked at yet, so that what is refused as invalid is not free.
   * @throws AppError `too_many_attempts`
   */
  async countRequest(address: string): Promise<void> {
    const limit = this.config.signInAttemptsPerMinute * WIDEST;
    await this.take([{ bucket: `credentials:${clientBucket(address)}`, limit }]);
  }

  /** @throws AppError `too_many_attempts` */
  async countSignIn(email: string, address: string): Promise<void> {
    const account = nameOf(email);
    const client = clientBucket(address);
    const limit = this.config.signInAttemptsPerMinute;
    await this.take([
      { bucket: `sign-in:${client}:${account}`, limit },
      { bucket: `sign-in:${client}`, limit: limit * WIDER },
    ]);
    // Only then: what is refused anyway must not use up the owner's own attempts.
    await this.take([{ bucket: `sign-in::${account}`, limit: limit * WIDER }]);
  }

  /** @throws AppError `too_many_attempts` */
  async countSignUp(address: string): Promise<void> {
    await this.take([{ bucket: `sign-up:${clientBucket(address)}`, limit: this.config.signUpsPerMinute }]);
  }

  /** A password asked for again by somebody who is signed in. @throws AppError `too_many_attempts` */
  async countConfirmation(accountId: string): Promise<void> {
    await this.take([{ bucket: `password:${accountId}`, limit: this.config.signInAttemptsPerMinute }]);
  }

  private async take(buckets: readonly BucketLimit[]): Promise<void> {
    const decisions = await this.rateLimits.takeAll(buckets);
    const waits = decisions.filter(({ allowed }) => !allowed).map((decision) => decision.retryAfterSeconds);
    if (waits.length > 0) {
      throw new AppError('too_many_attempts', {
        detail: 'Too many attempts. Wait a moment and try again.',
        retryAfterSeconds: Math.max(...waits),
      });
    }
  }
}

/** The table of buckets shows nobody's address. */
function nameOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 22);
}
