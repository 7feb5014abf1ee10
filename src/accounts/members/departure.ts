import { auditLog } from '../../audit/audit-log.js';
import type { Queryable } from '../../infra/database/database.js';
import { revokeOrphaned } from '../invitations/orphaned-invitations.js';
import { membersRepository } from './members.repository.js';

/**
 * Ends the memberships of a user who is about to be deleted. The organizations record it, and that the open invitations
 * of this member end: both would otherwise disappear by cascade.
 */
export async function leaveOrganizations(tx: Queryable, userId: string): Promise<void> {
  for (const { accountId, role } of await membersRepository.removeFromAll(tx, userId)) {
    await revokeOrphaned(tx, accountId, userId, undefined);
    await auditLog.record(tx, { action: 'member.left', accountId, targetId: userId, details: { role } });
  }
}
