import { Inject, Injectable } from '@nestjs/common';
import { currentActor } from '../../audit/audit-actor.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { Queryable } from '../../infra/database/database.js';
import type { Language } from '../../mail/language.js';
import { accountDeletedLetter } from '../../mail/letters/account-deleted.letter.js';
import { type EmailChangeStep, emailChangedLetter } from '../../mail/letters/email-changed.letter.js';
import { type PasswordChange, passwordChangedLetter } from '../../mail/letters/password-changed.letter.js';
import { type SignInChange, signInChangedLetter } from '../../mail/letters/sign-in-changed.letter.js';
import { MailOutbox } from '../../mail/mail-outbox.js';
import { notificationSettingsRepository } from '../../mail/notices/notification-settings.repository.js';
import type { Session, SignedInUser } from '../sessions/session.js';

/**
 * Tells users by email that their password, or another way to sign in, was changed. Written in the transaction of the
 * change, in the language of the user's settings: that of the request may be an attacker's.
 */
@Injectable()
export class SecurityNotices {
  constructor(
    private readonly outbox: MailOutbox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param wanted the language of the request, for a user who has none yet */
  async changed(
    tx: Queryable,
    { id, email }: Pick<SignedInUser, 'id' | 'email'>,
    change: PasswordChange | SignInChange,
    wanted: Language,
  ): Promise<void> {
    const language = await notificationSettingsRepository.knownLanguage(tx, id, wanted);
    const { publicUrl } = this.config;
    const [at, { address }] = [new Date(), currentActor()];
    if (change === 'password_changed' || change === 'password_reset') {
      const letter = passwordChangedLetter(language, change, at, address, `${publicUrl}/forgot-password`);
      await this.outbox.notify(tx, { kind: 'password_changed', accountId: id, to: email, letter });
      return;
    }
    const letter = signInChangedLetter(language, change, at, address, `${publicUrl}/account/security`);
    await this.outbox.notify(tx, { kind: 'sign_in_changed', accountId: id, to: email, letter });
  }

  /**
   * Tells the user at the address that the account had when the change was requested.
   * @param wanted the language of the request, for a user who has none yet
   */
  async emailChange(
    tx: Queryable,
    { id, email }: Pick<SignedInUser, 'id' | 'email'>,
    what: { readonly change: EmailChangeStep; readonly newEmail: string },
    wanted: Language,
  ): Promise<void> {
    const language = await notificationSettingsRepository.knownLanguage(tx, id, wanted);
    const letter = emailChangedLetter(language, {
      ...what,
      at: new Date(),
      address: currentActor().address,
      forgottenUrl: `${this.config.publicUrl}/forgot-password`,
    });
    await this.outbox.notify(tx, { kind: 'email_changed', accountId: id, to: email, letter });
  }

  /**
   * Tells the user who has deleted an account. The email does not belong to the account, with which it would be deleted.
   * @param language of the user, read before their settings were deleted
   */
  async accountDeleted(tx: Queryable, { account, user }: Session, language: Language): Promise<void> {
    const letter = accountDeletedLetter(language, {
      name: account.name,
      isOrganization: account.id !== user.id,
      at: new Date(),
      address: currentActor().address,
    });
    await this.outbox.notify(tx, { kind: 'account_deleted', accountId: null, to: user.email, letter });
  }
}
