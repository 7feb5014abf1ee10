import { Injectable, Logger } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { Database } from '../../infra/database/database.js';
import { PasswordHasher } from '../../infra/passwords/password-hasher.js';
import { AppError } from '../../kernel/app-error.js';
import { accountSuspended } from '../account-suspended.js';
import { AttemptLimiter } from './attempt.limiter.js';
import type { CredentialsDto } from '../passwords/credentials.dto.js';
import { CredentialsRepository } from '../passwords/credentials.repository.js';
import { PendingSignInsRepository } from '../two-factor/pending-sign-ins.repository.js';
import { SessionsRepository } from './sessions.repository.js';

/**
 * The stored hash may have changed since the check: by a new password, or by a concurrent sign-in that renewed the
 * hash.
 */
const MAX_CHECKS = 2;

interface Owner {
  readonly id: string;
  readonly passwordHash: string;
}

/** What the first step of a sign-in leads to. */
export interface FirstStep {
  /** Of a new session, or of a pending sign-in while the second factor is required. */
  readonly token: string;
  readonly secondFactorRequired: boolean;
}

/**
 * Starts sessions. Neither the response nor the work depends on whether an address has an account: the same queries,
 * the same number of hashes.
 */
@Injectable()
export class SignIn {
  private readonly logger = new Logger('accounts');

  constructor(
    private readonly attempts: AttemptLimiter,
    private readonly credentials: CredentialsRepository,
    private readonly sessions: SessionsRepository,
    private readonly pending: PendingSignInsRepository,
    private readonly hasher: PasswordHasher,
    private readonly database: Database,
  ) {}

  /**
   * @param address of the client
   * @throws AppError `invalid_credentials`, `account_suspended`, `too_many_attempts`, `service_unavailable`
   */
  async signIn(given: CredentialsDto, address: string): Promise<FirstStep> {
    await this.attempts.countSignIn(given.email, address);
    for (let attempt = 1; attempt <= MAX_CHECKS; attempt += 1) {
      const owner = await this.check(given);
      // Before the pending sign-in, which ends when the hash changes.
      const passwordHash = await this.renewHash(owner, given.password);
      const step = await this.begin({ id: owner.id, passwordHash });
      if (step !== undefined) return step;
    }
    throw new AppError('invalid_credentials');
  }

  /**
   * Creates a session and records it, or a pending sign-in when the account has a second factor; undefined when the
   * password was changed meanwhile.
   */
  private begin({ id, passwordHash }: Owner): Promise<FirstStep | undefined> {
    return this.database.transaction(async (tx) => {
      const token = await this.sessions.begin(tx, id, passwordHash);
      if (token !== undefined) {
        await auditLog.record(tx, { action: 'sign_in.succeeded', accountId: id });
        return { token, secondFactorRequired: false };
      }
      const pending = await this.pending.begin(tx, id, passwordHash);
      return pending === undefined ? undefined : { token: pending, secondFactorRequired: true };
    });
  }

  /** @returns the account of these credentials. @throws AppError `invalid_credentials`, `account_suspended` */
  private async check({ email, password }: CredentialsDto): Promise<Owner> {
    const found = await this.credentials.findByEmail(email);
    const passwordHash = found?.passwordHash ?? null;
    const isRight = await this.hasher.verify(passwordHash, password);
    if (!isRight || found === undefined || passwordHash === null) {
      await auditLog.recordFailure(this.database, found?.id ?? null);
      throw new AppError('invalid_credentials');
    }
    // Only with the right password, so that nobody else learns of it.
    if (found.suspendedReason !== null) throw accountSuspended(found.suspendedReason);
    return { id: found.id, passwordHash };
  }

  /**
   * Replaces a hash of a lower cost, unless the password was changed meanwhile. Errors are not thrown: when hashing is
   * busy or the database is unavailable, the next sign-in renews the hash.
   * @returns the hash that the account has now, unless the password was changed meanwhile
   */
  private async renewHash({ id, passwordHash }: Owner, password: string): Promise<string> {
    if (!this.hasher.isOutdated(passwordHash)) return passwordHash;
    try {
      const renewed = await this.hasher.hash(password);
      if (await this.credentials.renewPasswordHash(id, passwordHash, renewed)) return renewed;
    } catch (error) {
      this.logger.warn({ accountId: id, error: String(error) }, 'could not renew a password hash');
    }
    return passwordHash;
  }
}
