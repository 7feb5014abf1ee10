import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { clientBucket } from '../client-address.js';
import { type BucketLimit, RateLimitRepository } from '../../quotas/rate-limit/rate-limit.repository.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';
import { caseFolded } from '../../kernel/email.js';

/** The limit of one address for all accounts, and of one account from all addresses, in multiples of a pair's limit. */
const WIDER = 5;
/** Requests of one address with credentials in any form. Higher than all other limits, which are more specific. */
const WIDEST = 2 * WIDER;

/**
 * Limits password attempts. Counted before any work is done, and the same whether or not the account exists.
 * A pair of account and client address has its own limit, so that an attacker elsewhere locks out the owner
 * only at five times that rate.
 */
@Injectable()
export class AttemptLimiter {
  constructor(
    private readonly rateLimits: RateLimitRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Counts a request before its body is validated, so that invalid requests are limited, too.
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
    // Counted last: refused attempts must not use up the owner's own attempts.
    await this.take([{ bucket: `sign-in::${account}`, limit: limit * WIDER }]);
  }

  /** @throws AppError `too_many_attempts` */
  async countSignUp(address: string): Promise<void> {
    await this.take([{ bucket: `sign-up:${clientBucket(address)}`, limit: this.config.signUpsPerMinute }]);
  }

  /** Counts a request for a link to choose a new password. @throws AppError `too_many_attempts` */
  async countPasswordReset(email: string, address: string): Promise<void> {
    const limit = this.config.passwordResetsPerMinute;
    await this.take([{ bucket: `reset:${clientBucket(address)}`, limit }]);
    // Counted last: refused requests must not use up those of the owner.
    await this.take([{ bucket: `reset::${nameOf(email)}`, limit }]);
  }

  /** Counts a code of the second factor. @throws AppError `too_many_attempts` */
  async countSecondFactor(accountId: string, address: string): Promise<void> {
    const limit = this.config.signInAttemptsPerMinute;
    await this.take([{ bucket: `second-factor:${clientBucket(address)}`, limit: limit * WIDER }]);
    // Counted last: refused codes must not use up those of the owner.
    await this.take([{ bucket: `second-factor::${accountId}`, limit }]);
  }

  /** Counts a confirmation of the password by a signed-in user. @throws AppError `too_many_attempts` */
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

/** Hashed, so that the table contains no addresses. */
function nameOf(email: string): string {
  return createHash('sha256').update(caseFolded(email)).digest('base64url').slice(0, 22);
}
