import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { auditLog } from '../../audit/audit-log.js';
import { Database } from '../../infra/database/database.js';
import { PasswordHasher } from '../../infra/passwords/password-hasher.js';
import { AppError } from '../../kernel/app-error.js';
import { AttemptLimiter } from './attempt.limiter.js';
import type { CredentialsDto } from '../passwords/credentials.dto.js';
import { CredentialsRepository } from '../passwords/credentials.repository.js';
import { SessionsRepository } from './sessions.repository.js';

/**
 * The stored hash may be another one after the check: of another password, or renewed by a sign-in beside
 * this one.
 */
const MAX_CHECKS = 2;

interface Owner {
  readonly id: string;
  readonly passwordHash: string;
}

/**
 * Signing up and in. Neither the answer nor the work behind it depends on whether an address has an account:
 * the same statements, the same number of hashes. What remains is that a sign-up followed by a sign-in works
 * only for an address that was free (without sending mail nothing can hide that); hence few sign-ups a
 * minute.
 */
@Injectable()
export class SignIn {
  private readonly logger = new Logger('accounts');

  constructor(
    private readonly attempts: AttemptLimiter,
    private readonly credentials: CredentialsRepository,
    private readonly sessions: SessionsRepository,
    private readonly hasher: PasswordHasher,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Makes an account, or does nothing when the address has one: signing in then tells.
   * @param address of the client
   * @throws AppError `sign_up_closed`, `too_many_attempts`, `service_unavailable`
   */
  async signUp({ email, password }: CredentialsDto, address: string): Promise<void> {
    if (this.config.signUp === 'closed') throw new AppError('sign_up_closed');
    await this.attempts.countSignUp(address);
    await this.credentials.signUp(email, await this.hasher.hash(password));
  }

  /**
   * @param address of the client
   * @returns the token of a new session
   * @throws AppError `invalid_credentials`, `too_many_attempts`, `service_unavailable`
   */
  async signIn(given: CredentialsDto, address: string): Promise<string> {
    await this.attempts.countSignIn(given.email, address);
    for (let attempt = 1; attempt <= MAX_CHECKS; attempt += 1) {
      const owner = await this.check(given);
      const token = await this.begin(owner);
      if (token === undefined) continue;
      await this.renewHash(owner, given.password);
      return token;
    }
    throw new AppError('invalid_credentials');
  }

  /** Begins a session and records it; undefined when the password was changed meanwhile. */
  private begin({ id, passwordHash }: Owner): Promise<string | undefined> {
    return this.database.transaction(async (tx) => {
      const token = await this.sessions.begin(tx, id, passwordHash);
      if (token !== undefined) await auditLog.record(tx, { action: 'sign_in.succeeded', accountId: id });
      return token;
    });
  }

  /** @returns whose credentials these are. @throws AppError `invalid_credentials` */
  private async check({ email, password }: CredentialsDto): Promise<Owner> {
    const found = await this.credentials.findByEmail(email);
    const passwordHash = found?.passwordHash ?? null;
    const isRight = await this.hasher.verify(passwordHash, password);
    if (!isRight || found === undefined || passwordHash === null) {
      await auditLog.recordFailure(this.database, found?.id ?? null);
      throw new AppError('invalid_credentials');
    }
    return { id: found.id, passwordHash };
  }

  /**
   * A hash of an earlier cost becomes one of today's, unless the password was changed meanwhile. The session
   * has begun by now, so nothing is thrown: while hashing is busy or the database away, the next sign-in
   * renews it.
   */
  private async renewHash({ id, passwordHash }: Owner, password: string): Promise<void> {
    if (!this.hasher.isOutdated(passwordHash)) return;
    try {
      const renewed = await this.hasher.hash(password);
      await this.credentials.replacePasswordHash(this.database, id, passwordHash, renewed);
    } catch (error) {
      this.logger.warn({ accountId: id, error: String(error) }, 'could not renew a password hash');
    }
  }
}
