import { Inject, Injectable } from '@nestjs/common';
import { auditLog } from '../../../audit/audit-log.js';
import { invalidRequest } from '../../../common/validation/validation.pipe.js';
import type { Config } from '../../../config/env.js';
import { CONFIG } from '../../../config/tokens.js';
import { Database } from '../../../infra/database/database.js';
import { PasswordHasher } from '../../../infra/passwords/password-hasher.js';
import { AppError } from '../../../kernel/app-error.js';
import type { Language } from '../../../mail/language.js';
import { passwordResetLetter } from '../../../mail/letters/password-reset.letter.js';
import { MailOutbox } from '../../../mail/mail-outbox.js';
import { notificationSettingsRepository } from '../../../mail/notices/notification-settings.repository.js';
import { emailChangesRepository } from '../../email-changes/email-changes.repository.js';
import { SecurityNotices } from '../../notifications/security-notices.js';
import { AttemptLimiter } from '../../sessions/attempt.limiter.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import { emailVerificationsRepository } from '../../verification/email-verifications.repository.js';
import { removePriorAccess } from '../../verification/prior-access.js';
import { passwordFault } from '../password-rules.js';
import type { ResetPasswordDto } from './password-reset.dto.js';
import { passwordResetsRepository, RESET_TTL_SECONDS } from './password-resets.repository.js';
import { tokenLink } from '../../links/token-link.js';
import { hashSecretToken, newSecretToken } from '../../../kernel/secret-token.js';

/** New passwords for users who forgot theirs, by a link in an email. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly attempts: AttemptLimiter,
    private readonly sessions: SessionsRepository,
    private readonly hasher: PasswordHasher,
    private readonly outbox: MailOutbox,
    private readonly notices: SecurityNotices,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Sends a link, if the address has an account. Neither the response nor the work depends on that: the same statements,
   * and a row is written in both cases.
   * @param address of the client
   * @param wanted the language of the request, for a user who has none yet
   * @throws AppError `feature_disabled`, `too_many_attempts`
   */
  async request(email: string, address: string, wanted: Language): Promise<void> {
    if (!this.outbox.isOn)
      throw new AppError('feature_disabled', {
        detail: 'This service sends no mail. Ask its operator for a link to choose a new password.',
      });
    await this.attempts.countPasswordReset(email, address);
    const token = newSecretToken();
    const expiresAt = new Date(Date.now() + RESET_TTL_SECONDS * 1_000);
    await this.database.transaction(async (tx) => {
      const accountId = await passwordResetsRepository.lockByEmail(tx, email);
      const language = await notificationSettingsRepository.knownLanguage(tx, accountId, wanted);
      const letter = passwordResetLetter(
        language,
        tokenLink(this.config.publicUrl, '/reset-password', token),
      );
      const to = await passwordResetsRepository.request(tx, accountId, email, hashSecretToken(token));
      await this.outbox.enqueue(tx, { kind: 'password_reset', accountId, to, letter, expiresAt });
    });
  }

  /**
   * Sets the password by a link, once, and ends every session. It signs nobody in. A mailed link that verifies the address
   * for the first time also removes whatever else gave access to the account before.
   * @throws AppError `link_not_valid`, `invalid_request`, `service_unavailable`
   */
  async complete({ token, newPassword }: ResetPasswordDto, language: Language): Promise<void> {
    const tokenHash = hashSecretToken(token);
    const account = await passwordResetsRepository.find(this.database, tokenHash);
    if (account === undefined) throw new AppError('link_not_valid');
    const fault = passwordFault(newPassword, account.email);
    if (fault !== undefined)
      throw invalidRequest([{ field: 'newPassword', code: 'password', message: `newPassword ${fault}.` }]);
    const passwordHash = await this.hasher.hash(newPassword);
    const { accountId, wasMailed } = account;
    await this.database.transaction(async (tx) => {
      if (!(await passwordResetsRepository.use(tx, accountId, tokenHash)))
        throw new AppError('link_not_valid');
      await passwordResetsRepository.setPassword(tx, accountId, passwordHash);
      await emailChangesRepository.cancel(tx, accountId);
      const isFirst = wasMailed && (await emailVerificationsRepository.verify(tx, accountId));
      const isNews = isFirst && (await removePriorAccess(tx, accountId));
      await this.sessions.endAll(tx, accountId);
      await auditLog.record(tx, { action: 'password.reset_completed', accountId });
      const user = { id: accountId, email: account.email };
      await this.notices.changed(tx, user, 'password_reset', language);
      if (isNews) await this.notices.changed(tx, user, 'access_removed', language);
    });
  }
}
