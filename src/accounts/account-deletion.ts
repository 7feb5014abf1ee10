import { Injectable, Logger } from '@nestjs/common';
import type { DeleteAccountDto } from '../auth/passwords/change-password.dto.js';
import { SecurityNotices } from '../auth/notifications/security-notices.js';
import { Passwords } from '../auth/passwords/passwords.js';
import type { Session } from '../auth/sessions/session.js';
import { invalidRequest } from '../common/validation/validation.pipe.js';
import { Database } from '../infra/database/database.js';
import { AppError } from '../kernel/app-error.js';
import type { Language } from '../mail/language.js';
import { notificationSettingsRepository } from '../mail/notices/notification-settings.repository.js';
import { AccountEraser } from './account-eraser.js';

/** Lets owners delete an account and everything it owns. */
@Injectable()
export class AccountDeletion {
  private readonly logger = new Logger('accounts');

  constructor(
    private readonly passwords: Passwords,
    private readonly eraser: AccountEraser,
    private readonly notices: SecurityNotices,
    private readonly database: Database,
  ) {}

  /**
   * @param wanted the language of the request, for a user who has none yet
   * @throws AppError `insufficient_role` for anyone but the primary owner, `invalid_request` without the right confirmation,
   *   `wrong_password`, `too_many_attempts`, `owns_organizations`, `not_signed_in` when the session ends meanwhile
   */
  async delete(
    session: Session,
    { confirmation, password }: DeleteAccountDto,
    wanted: Language,
  ): Promise<void> {
    const { account, user } = session;
    if (account.ownerId !== user.id)
      throw new AppError('insufficient_role', {
        detail: 'Only the primary owner can delete the account. Nothing was deleted.',
      });
    requireConfirmation(confirmation, account.name);
    await this.passwords.confirm(user.id, password);
    const language = await notificationSettingsRepository.knownLanguage(this.database, user.id, wanted);
    await this.eraser.erase(account.id, session, (tx) => this.notices.accountDeleted(tx, session, language));
    this.logger.log({ accountId: account.id }, 'account deleted by its owner');
  }
}

/** @throws AppError `invalid_request` unless `confirmation` is the account's address or the organization's name */
export function requireConfirmation(confirmation: string, name: string): void {
  if (confirmation.trim().toLowerCase() === name.toLowerCase()) return;
  throw invalidRequest([
    {
      field: 'confirmation',
      code: 'mismatch',
      message:
        'confirmation must be the email address of the account, or the name of the organization. Nothing was deleted.',
    },
  ]);
}
