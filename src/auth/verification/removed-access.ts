import { auditLog } from '../../audit/audit-log.js';
import type { Queryable } from '../../infra/database/database.js';
import type { Role } from '../../kernel/accounts/roles.js';

/** What a first verification has removed. */
export interface RemovedAccess {
  readonly passkeys: number;
  readonly twoFactor: number;
  readonly identities: number;
  readonly sessions: number;
  readonly keys: readonly { readonly accountId: string; readonly id: string; readonly name: string }[];
  readonly members: readonly { readonly accountId: string; readonly userId: string; readonly role: Role }[];
  readonly invitations: readonly {
    readonly accountId: string;
    readonly id: string;
    readonly email: string;
    readonly role: Role;
    readonly mailId: string | null;
  }[];
}

/**
 * Records each key, member and invitation in the log of its account, and the numbers in the log of each account that
 * has lost any access.
 * @param userId also the id of the user's own account
 */
export async function recordRemovedAccess(
  tx: Queryable,
  userId: string,
  { keys, members, invitations, passkeys, twoFactor, identities, sessions }: RemovedAccess,
): Promise<void> {
  for (const { accountId, id, name } of keys)
    await auditLog.record(tx, { action: 'key.revoked', accountId, targetId: id, details: { name } });
  for (const { accountId, userId: targetId, role } of members)
    await auditLog.record(tx, { action: 'member.removed', accountId, targetId, details: { role } });
  for (const { accountId, id, email, role } of invitations) {
    const details = { email, role };
    await auditLog.record(tx, { action: 'invitation.revoked', accountId, targetId: id, details });
  }
  const accountIds = [...keys, ...members, ...invitations].map(({ accountId }) => accountId);
  for (const accountId of new Set([userId, ...accountIds])) {
    const isOf = (row: { readonly accountId: string }) => row.accountId === accountId;
    const counts = {
      ...(accountId === userId && { passkeys, twoFactor, identities, sessions }),
      keys: keys.filter(isOf).length,
      members: members.filter(isOf).length,
      invitations: invitations.filter(isOf).length,
    };
    const details = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
    if (Object.keys(details).length > 0)
      await auditLog.record(tx, { action: 'account.access_removed', accountId, details });
  }
}
