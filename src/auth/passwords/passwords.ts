import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import { auditLog } from '../../audit/audit-log.js';
import { Database } from '../../infra/database/database.js';
import { PasswordHasher } from '../../infra/passwords/password-hasher.js';
import { AppError } from '../../kernel/app-error.js';
import type { Language } from '../../mail/language.js';
import { SecurityNotices } from '../notifications/security-notices.js';
import { emailChangesRepository } from '../email-changes/email-changes.repository.js';
import { AttemptLimiter } from '../sessions/attempt.limiter.js';
import type { ChangePasswordDto } from './change-password.dto.js';
import { CredentialsRepository } from './credentials.repository.js';
import { passwordFault } from './password-rules.js';
import { passwordResetsRepository } from './resets/password-resets.repository.js';
import type { SignedInUser } from '../sessions/session.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';

/** Password changes of a signed-in user. */
@Injectable()
export class Passwords {
  constructor(
    private readonly attempts: AttemptLimiter,
    private readonly credentials: CredentialsRepository,
    private readonly sessions: SessionsRepository,
    private readonly hasher: PasswordHasher,
    private readonly notices: SecurityNotices,
    private readonly database: Database,
  ) {}

  /**
   * Verifies the password again before an irreversible action.
   * @returns its stored hash
   * @throws AppError `wrong_password`, `too_many_attempts`
   */
  async confirm(accountId: string, password: string): Promise<string> {
    await this.attempts.countConfirmation(accountId);
    const passwordHash = await this.credentials.passwordHashOf(accountId);
    const isRight = await this.hasher.verify(passwordHash, password);
    if (!isRight || passwordHash === null) throw new AppError('wrong_password');
    return passwordHash;
  }

  /**
   * Changes the password and ends every session, this one included.
   * @returns the token of a new session
   * @throws AppError `invalid_request`, `not_signed_in` when the account is suspended meanwhile, and as `confirm`
   */
  async change(user: SignedInUser, dto: ChangePasswordDto, language: Language): Promise<string> {
    const fault = passwordFault(dto.newPassword, user.email);
    if (fault !== undefined) {
      throw invalidRequest([{ field: 'newPassword', code: 'password', message: `newPassword ${fault}.` }]);
    }
    const current = await this.confirm(user.id, dto.currentPassword);
    const next = await this.hasher.hash(dto.newPassword);
    return this.database.transaction(async (tx) => {
      // Of two concurrent changes, one is told that its current password is wrong.
      if (!(await this.credentials.changePassword(tx, user.id, current, next)))
        throw new AppError('wrong_password');
      await passwordResetsRepository.endAll(tx, user.id);
      await emailChangesRepository.cancel(tx, user.id);
      await this.sessions.endAll(tx, user.id);
      await auditLog.record(tx, { action: 'password.changed', accountId: user.id });
      await this.notices.changed(tx, user, 'password_changed', language);
      const token = await this.sessions.begin(tx, user.id, next, true);
      if (token === undefined) throw new AppError('not_signed_in');
      return token;
    });
  }
}
