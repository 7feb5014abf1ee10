import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { Database } from '../infra/database/database.js';
import { PasswordHasher } from '../infra/passwords/password-hasher.js';
import { AppError } from '../kernel/app-error.js';
import { AttemptLimiter } from './attempt.limiter.js';
import type { CredentialsDto } from './credentials.dto.js';
import { CredentialsRepository } from './credentials.repository.js';
import { SessionsRepository } from './sessions.repository.js';

/**
 * Signing up and in. Neither the answer nor the work behind it depends on whether an address has an account:
 * the same statements, the same number of hashes. What remains is that a sign-up followed by a sign-in works only
 * for an address that was free (without sending mail nothing can hide that); hence few sign-ups a minute.
 */
@Injectable()
export class SignIn {
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
  async signIn({ email, password }: CredentialsDto, address: string): Promise<string> {
    await this.attempts.countSignIn(email, address);
    const found = await this.credentials.findByEmail(email);
    const passwordHash = found?.passwordHash ?? null;
    if (!(await this.hasher.verify(passwordHash, password)) || found === undefined || passwordHash === null)
      throw new AppError('invalid_credentials');
    if (this.hasher.isOutdated(passwordHash)) {
      await this.credentials.setPasswordHash(this.database, found.id, await this.hasher.hash(password));
    }
    return this.sessions.begin(this.database, found.id);
  }
}
