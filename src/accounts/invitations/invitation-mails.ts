import { Injectable } from '@nestjs/common';
import type { Session } from '../../auth/sessions/session.js';
import type { Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { Language } from '../../mail/language.js';
import { invitationLetter } from '../../mail/letters/invitation.letter.js';
import { MailOutbox } from '../../mail/mail-outbox.js';
import type { Invitation } from './invitation.js';
import { invitationMailsRepository, type MailedInvitations } from './invitation-mails.repository.js';

/** Maximum invitations per hour that an organization can mail, and that a user can mail across all organizations. */
export const MAX_MAILED_PER_HOUR = 20;
/** Maximum invitations per hour that one address receives, from all senders. */
export const MAX_MAILED_TO_ADDRESS_PER_HOUR = 5;

export interface InvitationMail extends Pick<Invitation, 'email' | 'role'> {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Mails the links of invitations. The limits prevent anyone from flooding a mailbox. */
@Injectable()
export class InvitationMails {
  constructor(private readonly outbox: MailOutbox) {}

  /**
   * @returns the id of the mail; null when the service sends no mail
   * @throws AppError `too_many_attempts`
   */
  async send(
    tx: Queryable,
    { account, user }: Session,
    { email, role, url, expiresAt }: InvitationMail,
    language: Language,
  ): Promise<string | null> {
    if (!this.outbox.isOn) return null;
    await invitationMailsRepository.lock(tx, user.id, email);
    const { byInviter, toAddress } = await invitationMailsRepository.lastHour(tx, account.id, user.id, email);
    requireBelow(
      MAX_MAILED_PER_HOUR,
      byInviter,
      `You or your organization mailed ${MAX_MAILED_PER_HOUR} invitations within an hour.`,
    );
    requireBelow(
      MAX_MAILED_TO_ADDRESS_PER_HOUR,
      toAddress,
      `This address was sent ${MAX_MAILED_TO_ADDRESS_PER_HOUR} invitations within an hour.`,
    );
    const letter = invitationLetter(language, {
      organization: account.name,
      invitedBy: user.email,
      role,
      url,
    });
    return this.outbox.enqueue(tx, {
      kind: 'invitation',
      accountId: account.id,
      to: email,
      letter,
      expiresAt,
    });
  }
}

/** @throws AppError `too_many_attempts` */
function requireBelow(limit: number, { count, freeInSeconds }: MailedInvitations, what: string): void {
  if (count < limit) return;
  throw new AppError('too_many_attempts', {
    detail: `${what} Try again later.`,
    retryAfterSeconds: Math.max(1, Math.ceil(freeInSeconds ?? 0)),
  });
}
