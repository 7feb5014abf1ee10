import { auditLog } from '../../audit/audit-log.js';
import type { Queryable } from '../../infra/database/database.js';
import { mayAssign, type Role, ROLES } from '../../kernel/accounts/roles.js';
import { invitationsRepository } from './invitations.repository.js';

/**
 * Revokes the open invitations that a member may no longer grant. Otherwise an admin who is about to be removed could
 * return under a second address.
 * @param role the member's new role; undefined for a removed member
 */
export async function revokeOrphaned(
  tx: Queryable,
  accountId: string,
  userId: string,
  role: Role | undefined,
): Promise<void> {
  const forbidden = ROLES.filter((granted) => role === undefined || !mayAssign(role, granted));
  for (const revoked of await invitationsRepository.revokeOf(tx, accountId, userId, forbidden))
    await auditLog.record(tx, {
      action: 'invitation.revoked',
      accountId,
      targetId: revoked.id,
      details: { email: revoked.email, role: revoked.role },
    });
}
