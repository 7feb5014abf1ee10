import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { currentRole } from '../../auth/sessions/current-role.js';
import type { Session } from '../../auth/sessions/session.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { membersRepository } from '../members/members.repository.js';
import { type Invitation, invitationNotFound, requireOpen } from './invitation.js';
import { invitationsRepository } from './invitations.repository.js';
import { hashSecretToken } from '../../kernel/secret-token.js';

/** Previews and accepts invitations on behalf of the holder of a link. */
@Injectable()
export class InvitationAcceptance {
  constructor(private readonly database: Database) {}

  /** @throws AppError `not_found`, and the errors of `requireOpen` */
  async preview(token: string): Promise<Invitation> {
    const invitation = await findByToken(this.database, token);
    requireOpen(invitation);
    return invitation;
  }

  /**
   * Makes the user a member and switches the session to the organization. Accepting again succeeds while the user is a
   * member, so a client can retry after a lost response. An existing member keeps the current role.
   * @throws AppError `not_signed_in`, `not_found`, `invitation_for_other_user`, `member_limit_reached`, and the
   *   errors of `requireOpen`
   */
  async accept({ token: sessionToken, user }: Session, token: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { accountId } = await findByToken(tx, token);
      await membersRepository.lock(tx, accountId);
      // Read again under the lock, so that only the first of several concurrent requests uses the invitation.
      const invitation = await findByToken(tx, token);
      const isMember = (await currentRole(tx, sessionToken, accountId)) !== null;
      if (!(isMember && invitation.acceptedBy === user.id)) {
        requireOpen(invitation);
        await join(tx, invitation, user, isMember);
      }
      await membersRepository.switch(tx, hashSecretToken(sessionToken), user.id, accountId);
    });
  }
}

/** @throws AppError `invitation_for_other_user`, `member_limit_reached` */
async function join(
  tx: Queryable,
  { id, accountId, email, role }: Invitation,
  user: Session['user'],
  isMember: boolean,
): Promise<void> {
  if (user.email.toLowerCase() !== email.toLowerCase())
    throw new AppError('invitation_for_other_user', {
      detail: `This invitation is for ${email}, and you are signed in as ${user.email}.`,
      extensions: { email },
    });
  await invitationsRepository.accept(tx, id, user.id);
  await auditLog.record(tx, {
    action: 'invitation.accepted',
    accountId,
    targetId: id,
    details: { email, role },
  });
  if (isMember) return;
  if (!(await membersRepository.add(tx, accountId, user.id, role)))
    throw new AppError('member_limit_reached');
  const details = { role, invitation: id };
  await auditLog.record(tx, { action: 'member.added', accountId, targetId: user.id, details });
}

/** @throws AppError `not_found` */
async function findByToken(on: Queryable, token: string): Promise<Invitation> {
  const invitation = await invitationsRepository.findByToken(on, hashSecretToken(token));
  if (invitation === undefined) throw invitationNotFound();
  return invitation;
}
