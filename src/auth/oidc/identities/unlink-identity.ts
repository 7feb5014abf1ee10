import { auditLog } from '../../../audit/audit-log.js';
import type { Queryable } from '../../../infra/database/database.js';
import { AppError } from '../../../kernel/app-error.js';
import { linkedIdentitiesRepository } from './linked-identities.repository.js';

/**
 * Unlinks an identity and records it. Locks the account, so that concurrent requests cannot unlink the last two
 * identities.
 * @throws AppError `not_found`, `only_sign_in` when the user could no longer sign in
 */
export async function unlinkIdentity(tx: Queryable, accountId: string, id: string): Promise<void> {
  const issuer = await linkedIdentitiesRepository.unlink(tx, accountId, id);
  if (issuer === undefined)
    throw new AppError('not_found', { detail: 'The account has no such identity. Nothing was changed.' });
  if (!(await linkedIdentitiesRepository.canSignIn(tx, accountId))) throw new AppError('only_sign_in');
  await auditLog.record(tx, { action: 'identity.unlinked', accountId, targetId: id, details: { issuer } });
}
