import type { Prepared, Queryable } from '../infra/database/database.js';
import { AppError } from '../kernel/app-error.js';
import { currentRole } from './sessions/current-role.js';
import type { Session } from './sessions/session.js';

const LOCK: Prepared = {
  name: 'account_lock',
  text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
};

/**
 * Locks an account until the end of the transaction. Call it before locking rows that refer to the account: the
 * deletion of the account locks in this order, too, and any other order may deadlock.
 * @param accountId null does the same work without an account
 * @returns false when the account was deleted
 */
export async function lockAccount(tx: Queryable, accountId: string | null): Promise<boolean> {
  return (await tx.query(LOCK, [accountId])).length > 0;
}

/**
 * Like `lockAccount`, for the account of the signed-in user.
 * @throws AppError `not_signed_in` when it was deleted, or the session ended before the lock was granted
 */
export async function lockUser(tx: Queryable, { token, user }: Session): Promise<void> {
  if (!(await lockAccount(tx, user.id))) throw new AppError('not_signed_in');
  await currentRole(tx, token, user.id);
}
