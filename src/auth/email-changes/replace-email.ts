import { auditLog } from '../../audit/audit-log.js';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { passwordResetsRepository } from '../passwords/resets/password-resets.repository.js';
import { emailChangesRepository } from './email-changes.repository.js';
import { endSessions } from '../sessions/end-sessions.js';
import { isUniqueViolation } from '../../infra/database/database-errors.js';

/** $3: whether the user has proven to receive the mail of the new address. */
const SET_EMAIL: Prepared = {
  name: 'email_change_set',
  text: `UPDATE accounts SET email = $2, email_verified_at = CASE WHEN $3::boolean THEN now() ELSE email_verified_at END
          WHERE id = $1 RETURNING id`,
};

/** Links that were sent to the earlier address must not verify the new one. */
const END_VERIFICATIONS: Prepared = {
  name: 'email_change_end_verifications',
  text: 'DELETE FROM email_verifications WHERE account_id = $1',
};

const END_PENDING_SIGN_INS: Prepared = {
  name: 'email_change_end_pending',
  text: 'DELETE FROM pending_sign_ins WHERE account_id = $1',
};

export interface ReplacedEmail {
  readonly accountId: string;
  readonly from: string;
  readonly to: string;
  /** Whether the user has proven to receive the mail of the new address. Otherwise, an operator vouches for it. */
  readonly isProven: boolean;
}

/**
 * Changes the address of a user's account, which is locked, and records it. Ends every session, every sign-in in
 * progress, and every link that was sent to the earlier address.
 * @returns false when another account has the address; then the transaction must be rolled back
 */
export async function replaceEmail(
  tx: Queryable,
  { accountId, from, to, isProven }: ReplacedEmail,
): Promise<boolean> {
  if (await emailChangesRepository.isTaken(tx, { accountId, email: to })) return false;
  try {
    await tx.query(SET_EMAIL, [accountId, to, isProven]);
  } catch (error) {
    // A concurrent transaction has taken the address.
    if (isUniqueViolation(error)) return false;
    throw error;
  }
  await passwordResetsRepository.endAll(tx, accountId);
  await emailChangesRepository.cancel(tx, accountId);
  for (const statement of [END_VERIFICATIONS, END_PENDING_SIGN_INS]) await tx.query(statement, [accountId]);
  await endSessions(tx, accountId);
  await auditLog.record(tx, { action: 'email.changed', accountId, details: { from, to } });
  return true;
}
