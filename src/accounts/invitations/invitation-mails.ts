import { Injectable } from '@nestjs/common';
import type { Session } from '../../auth/sessions/session.js';
import type { Queryable } from '../../infra/database/database.js';
import type { Language } from '../../mail/language.js';
import { invitationLetter } from '../../mail/letters/invitation.letter.js';
import { MAILS_PER_HOUR, mailLimits, requireMailAllowed } from '../../mail/mail-limits.js';
import { MailOutbox } from '../../mail/mail-outbox.js';
import type { Invitation } from './invitation.js';

/** Maximum invitations per hour that an organization can mail, and that a user can mail across all organizations. */
export const MAX_MAILED_PER_HOUR = 20;

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
    // By its address, too, which outlives the user. By its id, because users can change their address.
    for (const sender of new Set([account.id, user.id, user.email]))
      requireMailAllowed(
        await mailLimits.takeOfSender(tx, 'invitation', sender, MAX_MAILED_PER_HOUR),
        `You or your organization mailed ${MAX_MAILED_PER_HOUR} invitations within an hour.`,
      );
    requireMailAllowed(
      await mailLimits.take(tx, 'invitation', email),
      `This address was sent ${MAILS_PER_HOUR.invitation} invitations within an hour.`,
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
