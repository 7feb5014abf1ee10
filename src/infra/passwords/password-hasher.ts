import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { Permits } from '../../kernel/concurrency/permits.js';
import { AppError } from '../../kernel/app-error.js';

/**
 * Argon2id (the library's default) with the least cost that OWASP's cheat sheet on password storage names.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** At once: each takes 19 MB and one of libuv's four threads, which files need too. */
const MAX_RUNNING = 2;
/** More than this wait for seconds; they are told to come back instead. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 2;

/**
 * Hashes and checks passwords, so many at once as the process can bear: a storm of sign-ins waits in a short
 * line and is refused past it, while everything else goes on.
 */
export class PasswordHasher {
  private readonly permits = new Permits(MAX_RUNNING);
  private decoy: Promise<string> | undefined;

  /** @returns a PHC string. @throws AppError `service_unavailable` when too many wait already */
  hash(password: string): Promise<string> {
    return this.limited(() => hash(password, COST));
  }

  /**
   * Whether the password belongs to this hash. Without a hash the same work is done on one that nobody knows
   * the password of, so that the time tells nobody whether there is an account.
   * @throws AppError `service_unavailable` when too many wait already
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    // Awaited in either case; made once, of a password that is thrown away.
    this.decoy ??= hash(randomBytes(32), COST).catch((error: unknown) => {
      this.decoy = undefined;
      throw error;
    });
    const decoy = await this.decoy;
    const matches = await this.limited(() => verify(passwordHash ?? decoy, password));
    return matches && passwordHash !== null;
  }

  /** Whether a hash was made with another cost than today's and should be made anew. */
  isOutdated(passwordHash: string): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(passwordHash);
    return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism;
  }

  private async limited<T>(work: () => Promise<T>): Promise<T> {
    if (this.permits.waiting >= MAX_WAITING) {
      throw new AppError('service_unavailable', {
        detail: 'Too many people are signing in right now. Try again in a few seconds.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    return this.permits.run(work);
  }
}
