import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database } from '../../infra/database/database.js';
import { PasswordHasher } from '../../infra/passwords/password-hasher.js';
import { AppError } from '../../kernel/app-error.js';
import type { Language } from '../../mail/language.js';
import type { CredentialsDto } from '../passwords/credentials.dto.js';
import { CredentialsRepository } from '../passwords/credentials.repository.js';
import { EmailVerification } from '../verification/email-verification.js';
import { AttemptLimiter } from './attempt.limiter.js';

/**
 * Creates accounts. Neither the response nor the work depends on whether the address has one: the same queries, the same
 * number of hashes. One difference remains: a sign-in afterward succeeds only if the address was free. Therefore few
 * sign-ups are allowed each minute.
 */
@Injectable()
export class SignUp {
  constructor(
    private readonly attempts: AttemptLimiter,
    private readonly credentials: CredentialsRepository,
    private readonly hasher: PasswordHasher,
    private readonly verification: EmailVerification,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Does nothing when the address has an account.
   * @param address of the client
   * @throws AppError `sign_up_closed`, `too_many_attempts`, `service_unavailable`
   */
  async signUp({ email, password }: CredentialsDto, address: string, language: Language): Promise<void> {
    if (this.config.signUp === 'closed') throw new AppError('sign_up_closed');
    await this.attempts.countSignUp(address);
    const passwordHash = await this.hasher.hash(password);
    await this.database.transaction(async (tx) => {
      const id = await this.credentials.signUp(tx, email, passwordHash);
      await this.verification.welcome(tx, id, email, language);
    });
  }
}
