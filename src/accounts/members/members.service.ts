import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { accountSuspended } from '../../auth/account-suspended.js';
import { requireCurrentRole } from '../../auth/sessions/current-role.js';
import type { Session } from '../../auth/sessions/session.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { requireAssignable } from '../../kernel/accounts/required-role.js';
import type { Role } from '../../kernel/accounts/roles.js';
import { AppError } from '../../kernel/app-error.js';
import { revokeOrphaned } from '../invitations/orphaned-invitations.js';
import { type Member, membersRepository, type Organization } from './members.repository.js';
import { hashSecretToken } from '../../kernel/secret-token.js';

/** Members of the current organization, and the organizations of a user. */
@Injectable()
export class MembersService {
  constructor(private readonly database: Database) {}

  list({ account }: Session): Promise<Member[]> {
    return membersRepository.list(this.database, account.id);
  }

  /**
   * Does nothing when the member already has this role.
   * @throws AppError the errors of `target`, `insufficient_role`
   */
  async setRole(session: Session, userId: string, role: Role): Promise<Member> {
    return this.database.transaction(async (tx) => {
      const { member, actorRole } = await target(tx, session, userId);
      requireAssignable(actorRole, role);
      if (member.role === role) return member;
      await membersRepository.setRole(tx, session.account.id, userId, role);
      await revokeOrphaned(tx, session.account.id, userId, role);
      await record(tx, 'member.role_changed', session.account.id, member, { from: member.role, to: role });
      return { ...member, role };
    });
  }

  /** @throws AppError the errors of `target` */
  async remove(session: Session, userId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { member } = await target(tx, session, userId);
      await membersRepository.remove(tx, session.account.id, userId);
      await revokeOrphaned(tx, session.account.id, userId, undefined);
      await record(tx, 'member.removed', session.account.id, member, { role: member.role });
    });
  }

  /** Ends the user's own membership, regardless of the role. @throws AppError `primary_owner` */
  async leave({ account, user }: Session): Promise<void> {
    if (account.ownerId === user.id) throw new AppError('primary_owner');
    await this.database.transaction(async (tx) => {
      await membersRepository.lock(tx, account.id);
      const member = await membersRepository.find(tx, account.id, user.id);
      if (member === undefined) return;
      await membersRepository.remove(tx, account.id, user.id);
      await revokeOrphaned(tx, account.id, user.id, undefined);
      await record(tx, 'member.left', account.id, member, { role: member.role });
    });
  }

  organizations({ user }: Session): Promise<Organization[]> {
    return membersRepository.organizationsOf(this.database, user.id);
  }

  /**
   * Makes another organization the current one of this session.
   * @throws AppError `not_found` for nonmembers, `account_suspended`
   */
  async switch({ token, user }: Session, accountId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!(await membersRepository.switch(tx, hashSecretToken(token), user.id, accountId))) {
        const reason = await membersRepository.suspensionOf(tx, accountId, user.id);
        if (reason !== undefined) throw accountSuspended(reason);
        throw new AppError('not_found', {
          detail: 'There is no such organization, or you are not a member of it.',
        });
      }
      if (accountId !== user.id)
        await auditLog.record(tx, { action: 'member.switched', accountId, targetId: user.id });
    });
  }
}

/** The member to change, and the current role of the user who makes the change. */
interface Target {
  readonly member: Member;
  readonly actorRole: Role;
}

/**
 * Finds the member that the session's user wants to change. Locks the organization and reads the user's role again,
 * because another admin may have changed it after the guard checked it.
 * @throws AppError `primary_owner`, `not_signed_in`, `not_found`, `insufficient_role` when an admin changes an owner
 */
async function target(tx: Queryable, session: Session, userId: string): Promise<Target> {
  const { account } = session;
  if (userId === account.ownerId) throw new AppError('primary_owner');
  await membersRepository.lock(tx, account.id);
  const actorRole = await requireCurrentRole(tx, session, 'members:write');
  const member = await membersRepository.find(tx, account.id, userId);
  if (member === undefined) throw new AppError('not_found', { detail: 'There is no such member.' });
  requireAssignable(actorRole, member.role);
  return { member, actorRole };
}

function record(
  tx: Queryable,
  action: AuditAction,
  accountId: string,
  { userId }: Member,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return auditLog.record(tx, { action, accountId, targetId: userId, details });
}
