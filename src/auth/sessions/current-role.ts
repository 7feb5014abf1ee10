import type { Prepared, Queryable } from '../../infra/database/database.js';
import { requirePermission } from '../../kernel/accounts/required-role.js';
import type { Permission, Role } from '../../kernel/accounts/roles.js';
import { AppError } from '../../kernel/app-error.js';
import type { Session } from './session.js';
import { hashSecretToken } from '../../kernel/secret-token.js';

const ROLE: Prepared = {
  name: 'session_role',
  text: `SELECT CASE WHEN s.account_id = $2 THEN 'owner' ELSE m.role END AS role
           FROM sessions s LEFT JOIN memberships m ON m.account_id = $2 AND m.user_id = s.account_id
          WHERE s.token_hash = $1`,
};

/**
 * The role of the session's user in an account, read again. Call it while the account is locked: the session may have
 * ended, and the role may have changed, while the request waited for the lock.
 * @returns null for nonmembers
 * @throws AppError `not_signed_in` when the session has ended
 */
export async function currentRole(tx: Queryable, token: string, accountId: string): Promise<Role | null> {
  const [row] = await tx.query<{ role: Role | null }>(ROLE, [hashSecretToken(token), accountId]);
  if (row === undefined) throw new AppError('not_signed_in');
  return row.role;
}

/**
 * Like `currentRole`, for a change of the session's organization that requires a permission.
 * @throws AppError `not_signed_in`, `insufficient_role`
 */
export async function requireCurrentRole(
  tx: Queryable,
  { token, account }: Session,
  permission: Permission,
): Promise<Role> {
  const role = (await currentRole(tx, token, account.id)) ?? undefined;
  requirePermission(role, permission);
  return role;
}
