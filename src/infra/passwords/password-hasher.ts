import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { Permits } from '../../kernel/permits/permits.js';
import { AppError } from '../../kernel/app-error.js';

/**
 * Argon2id (the library's default) with the lowest cost that OWASP's password storage cheat sheet recommends.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Maximum concurrent hashes. Each takes 19 MB and one of libuv's four threads, which file operations also need. */
const MAX_RUNNING = 2;
/** Maximum queue length. Further requests would wait for seconds, so they are refused. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 2;

/**
 * Hashes and verifies passwords with bounded concurrency. A burst of sign-ins waits in a short queue, and requests
 * beyond it are refused, so that other work can continue.
 */
export class PasswordHasher {
  private readonly permits = new Permits(MAX_RUNNING);
  private decoy: Promise<string> | undefined;

  /** @returns a PHC string. @throws AppError `service_unavailable` when too many are waiting */
  hash(password: string): Promise<string> {
    return this.limited(() => hash(password, COST));
  }

  /**
   * Whether the password matches this hash. Without a hash, verifies against the hash of an unknown password, so that
   * the time does not reveal whether there is an account.
   * @throws AppError `service_unavailable` when too many are waiting
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    // Awaited in either case. Created once, from a random password that is not kept.
    this.decoy ??= hash(randomBytes(32), COST).catch((error: unknown) => {
      this.decoy = undefined;
      throw error;
    });
    const decoy = await this.decoy;
    const matches = await this.limited(() => verify(passwordHash ?? decoy, password));
    return matches && passwordHash !== null;
  }

  /** Whether a hash was created with other cost parameters than the current ones and should be renewed. */
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
