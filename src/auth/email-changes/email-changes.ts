import { Inject, Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { Language } from '../../mail/language.js';
import { emailChangeLetter } from '../../mail/letters/email-change.letter.js';
import { MAILS_PER_HOUR, mailLimits, type TakenMail } from '../../mail/mail-limits.js';
import { MailOutbox } from '../../mail/mail-outbox.js';
import { notificationSettingsRepository } from '../../mail/notices/notification-settings.repository.js';
import { lockUser } from '../account-lock.js';
import { hashLinkToken, newLinkToken, tokenLink } from '../links/token-link.js';
import { SecurityNotices } from '../notifications/security-notices.js';
import { Passwords } from '../passwords/passwords.js';
import type { Session } from '../sessions/session.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { VERIFICATION_TTL_SECONDS } from '../verification/email-verifications.repository.js';
import type { RequestEmailChangeDto } from './email-change.dto.js';
import { emailChangesRepository } from './email-changes.repository.js';
import { replaceEmail } from './replace-email.js';

/** Maximum links per hour that one user can ask for. */
export const MAX_CHANGES_PER_HOUR = 5;

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
    if (!this.outbox.isOn)
      throw new AppError('feature_disabled', {
        detail: 'This service sends no mail. Ask its operator to change your email address.',
      });
    const { user } = session;
    if (email === user.email)
      throw invalidRequest([
        { field: 'email', code: 'unchanged', message: 'email is the current address of your account.' },
      ]);
    await this.passwords.confirm(user.id, password);
    await this.database.transaction(async (tx) => {
      await lockUser(tx, session);
      const accountId = user.id;
      const isTaken = await emailChangesRepository.isTaken(tx, { accountId, email });
      await takeMail(tx, session, isTaken ? `taken ${email}` : email);
      await emailChangesRepository.cancel(tx, accountId);
      const token = newLinkToken();
      const mailId = await this.mail(tx, accountId, { to: isTaken ? null : email, token, wanted });
      await emailChangesRepository.insert(tx, { accountId, email }, hashLinkToken(token), mailId);
      await auditLog.record(tx, {
        action: 'email.change_requested',
        accountId,
        details: { email },
      });
      await this.notices.emailChange(tx, user, { change: 'requested', newEmail: email }, wanted);
    });
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
      const change = await emailChangesRepository.find(tx, hashLinkToken(token));
      if (change === undefined) throw new AppError('link_not_valid');
      if (change.accountId !== accountId) throw new AppError('link_for_other_user');
      const { email: to } = change;
      if (!(await replaceEmail(tx, { accountId, from: user.email, to, isProven: true })))
        throw new AppError('email_taken');
      await this.notices.emailChange(tx, user, { change: 'changed', newEmail: to }, wanted);
      return this.sessions.create(tx, accountId);
    });
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

/**
 * Counts an email by its sender, also by the address, which outlives the account, and by its recipient.
 * @throws AppError `too_many_attempts`
 */
async function takeMail(tx: Queryable, { user }: Session, to: string): Promise<void> {
  for (const sender of [user.id, user.email])
    requireAllowed(
      await mailLimits.takeOfSender(tx, 'email_change', sender, MAX_CHANGES_PER_HOUR),
      `You asked for ${MAX_CHANGES_PER_HOUR} links within an hour.`,
    );
  requireAllowed(
    await mailLimits.take(tx, 'email_change', to),
    `This address was sent ${MAILS_PER_HOUR.email_change} of these links within an hour.`,
  );
}

/** @throws AppError `too_many_attempts` */
function requireAllowed({ allowed, freeInSeconds }: TakenMail, what: string): void {
  if (allowed) return;
  throw new AppError('too_many_attempts', {
    detail: `${what} Try again later.`,
    retryAfterSeconds: Math.max(1, Math.ceil(freeInSeconds ?? 0)),
  });
}
