import { Inject, Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { Language } from '../../mail/language.js';
import { emailChangeLetter } from '../../mail/letters/email-change.letter.js';
import { MAILS_PER_HOUR, mailLimits, requireMailAllowed } from '../../mail/mail-limits.js';
import { MailOutbox } from '../../mail/mail-outbox.js';
import { notificationSettingsRepository } from '../../mail/notices/notification-settings.repository.js';
import { lockUser } from '../account-lock.js';
import { tokenLink } from '../links/token-link.js';
import { SecurityNotices } from '../notifications/security-notices.js';
import { Passwords } from '../passwords/passwords.js';
import type { Session } from '../sessions/session.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { VERIFICATION_TTL_SECONDS } from '../verification/email-verifications.repository.js';
import type { RequestEmailChangeDto } from './email-change.dto.js';
import { emailChangesRepository, type PendingEmailChange } from './email-changes.repository.js';
import { replaceEmail } from './replace-email.js';
import { hashSecretToken, newSecretToken } from '../../kernel/secret-token.js';

/** Maximum links per hour that one user can ask for. */
export const MAX_CHANGES_PER_HOUR = 5;

const NOTHING_PENDING =
  'No change of your email address is pending: its link was used, has expired, or was canceled. Request the change again.';

/** New email addresses of signed-in users, by a link in an email to the new address. */
@Injectable()
export class EmailChanges {
  constructor(
    private readonly passwords: Passwords,
    private readonly sessions: SessionsRepository,
    private readonly outbox: MailOutbox,
    private readonly notices: SecurityNotices,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Sends a link to the new address in place of an earlier link, and a notice to the current address. Neither the
   * response nor the work depends on whether another account has the new address: its owner gets no email.
   * @throws AppError `feature_disabled`, `invalid_request`, `wrong_password`, `too_many_attempts`, `not_signed_in`
   */
  async request(
    session: Session,
    { email, password }: RequestEmailChangeDto,
    wanted: Language,
  ): Promise<void> {
    this.requireMail();
    const { user } = session;
    if (email === user.email)
      throw invalidRequest([
        { field: 'email', code: 'unchanged', message: 'email is the current address of your account.' },
      ]);
    await this.passwords.confirm(user.id, password);
    await this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      await this.issue(tx, session, email, wanted);
      await auditLog.record(tx, {
        action: 'email.change_requested',
        accountId: user.id,
        details: { email },
      });
      await this.notices.emailChange(tx, user, { change: 'requested', newEmail: email }, wanted);
    });
  }

  /** The change that waits for its link, also one to an address that another account has. */
  pending({ user }: Session): Promise<PendingEmailChange | undefined> {
    return emailChangesRepository.findPending(this.database, user.id);
  }

  /**
   * Sends another link to the address of the pending change, which replaces the earlier link. The password was given
   * for this address already.
   * @throws AppError `feature_disabled`, `not_found` without a pending change, `too_many_attempts`, `not_signed_in`
   */
  async sendAgain(session: Session, wanted: Language): Promise<PendingEmailChange> {
    this.requireMail();
    return this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      const pending = await emailChangesRepository.findPending(tx, session.user.id);
      if (pending === undefined) throw new AppError('not_found', { detail: NOTHING_PENDING });
      await this.issue(tx, session, pending.email, wanted);
      return (await emailChangesRepository.findPending(tx, session.user.id))!;
    });
  }

  /** Ends the link of the pending change, if there is one. @throws AppError `not_signed_in` */
  async cancel(session: Session): Promise<void> {
    const accountId = session.user.id;
    await this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      const email = await emailChangesRepository.cancel(tx, accountId);
      if (email === undefined) return;
      await auditLog.record(tx, { action: 'email.change_canceled', accountId, details: { email } });
    });
  }

  /**
   * What a link changes, only for the user who asked for it.
   * @throws AppError `link_not_valid`, `link_for_other_user`
   */
  preview({ user }: Session, token: string): Promise<PendingEmailChange> {
    return findChange(this.database, token, user.id);
  }

  /**
   * Changes the address by a link, once, and ends every session, this one included.
   * @returns the token of a new session
   * @throws AppError `link_not_valid`, `link_for_other_user`, `email_taken`, `not_signed_in`
   */
  async complete(session: Session, token: string, wanted: Language): Promise<string> {
    const { user } = session;
    const accountId = user.id;
    return this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      const { email: to } = await findChange(tx, token, accountId);
      if (!(await replaceEmail(tx, { accountId, from: user.email, to, isProven: true })))
        throw new AppError('email_taken');
      await this.notices.emailChange(tx, user, { change: 'changed', newEmail: to }, wanted);
      return this.sessions.create(tx, accountId);
    });
  }

  /** @throws AppError `feature_disabled` */
  private requireMail(): void {
    if (this.outbox.isOn) return;
    throw new AppError('feature_disabled', {
      detail: 'This service sends no mail. Ask its operator to change your email address.',
    });
  }

  /**
   * Stores and sends a link in place of an earlier one. The account is locked.
   * @throws AppError `too_many_attempts`
   */
  private async issue(tx: Queryable, session: Session, email: string, wanted: Language): Promise<void> {
    const accountId = session.user.id;
    const isTaken = await emailChangesRepository.isTaken(tx, { accountId, email });
    await takeMail(tx, session, isTaken ? `taken ${email}` : email);
    await emailChangesRepository.cancel(tx, accountId);
    const token = newSecretToken();
    const mailId = await this.mail(tx, accountId, { to: isTaken ? null : email, token, wanted });
    await emailChangesRepository.insert(tx, { accountId, email }, hashSecretToken(token), mailId);
  }

  private async mail(
    tx: Queryable,
    accountId: string,
    { to, token, wanted }: { readonly to: string | null; readonly token: string; readonly wanted: Language },
  ): Promise<string | null> {
    const language = await notificationSettingsRepository.knownLanguage(tx, accountId, wanted);
    const letter = emailChangeLetter(language, tokenLink(this.config.publicUrl, '/change-email', token));
    const expiresAt = new Date(Date.now() + VERIFICATION_TTL_SECONDS * 1_000);
    return this.outbox.enqueue(tx, { kind: 'email_change', accountId, to, letter, expiresAt });
  }
}

/** @throws AppError `link_not_valid`, `link_for_other_user`, which reveals nothing about that user */
async function findChange(on: Queryable, token: string, accountId: string): Promise<PendingEmailChange> {
  const change = await emailChangesRepository.find(on, hashSecretToken(token));
  if (change === undefined) throw new AppError('link_not_valid');
  if (change.accountId !== accountId) throw new AppError('link_for_other_user');
  return change;
}

/**
 * Counts an email by its sender, also by the address, which outlives the account, and by its recipient.
 * @throws AppError `too_many_attempts`
 */
async function takeMail(tx: Queryable, { user }: Session, to: string): Promise<void> {
  for (const sender of [user.id, user.email])
    requireMailAllowed(
      await mailLimits.takeOfSender(tx, 'email_change', sender, MAX_CHANGES_PER_HOUR),
      `You asked for ${MAX_CHANGES_PER_HOUR} links within an hour.`,
    );
  requireMailAllowed(
    await mailLimits.take(tx, 'email_change', to),
    `This address was sent ${MAILS_PER_HOUR.email_change} of these links within an hour.`,
  );
}
