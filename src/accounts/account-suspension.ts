import { auditLog } from '../audit/audit-log.js';
import type { Database, Queryable } from '../infra/database/database.js';
import { inKeyBatches } from '../infra/database/key-batches.js';
import { testAccountOf } from '../kernel/accounts/livemode.js';
import { ownership } from './members/ownership.js';
import { endSessions } from '../auth/sessions/end-sessions.js';

/** `$1`: the account and its test mode. */
const QUEUED = `SELECT id AS key FROM jobs WHERE account_id = ANY ($1::text[]) AND status = 'queued'`;

/** `$1`: jobs that were queued. The dispatcher cancels them and refunds their enhancements. */
const CANCEL = `UPDATE jobs SET cancel_at = now(), cancel_reason = 'account_suspended'
  WHERE id = ANY ($1::text[]) AND status = 'queued' AND (cancel_at IS NULL OR cancel_at > now())`;

const SUSPEND = `UPDATE accounts SET suspended_at = coalesce(suspended_at, now()), suspended_reason = $2
  WHERE id = ANY ($1) AND (suspended_at IS NULL OR suspended_reason IS DISTINCT FROM $2) RETURNING id`;

const RESUME = `UPDATE accounts SET suspended_at = NULL, suspended_reason = NULL
  WHERE id = ANY ($1) AND suspended_at IS NOT NULL RETURNING id`;

/** Returns the sessions of members to their own accounts. */
const LEAVE = `WITH members AS (
    UPDATE sessions SET current_account_id = NULL WHERE current_account_id = $1 RETURNING account_id)
  SELECT pg_notify('session_ended', account_id) FROM (SELECT DISTINCT account_id FROM members) m`;

/**
 * Suspends accounts: API keys get 403, sessions end, and the user cannot sign in. Queued jobs are canceled and not
 * charged. Running jobs continue. Nothing is deleted.
 */
export class AccountSuspension {
  constructor(private readonly database: Database) {}

  /**
   * @param reason shown to the customer
   * @param withOrganizations also suspends the organizations that the user owns, in the same transaction
   * @returns the accounts that were not suspended for this reason already
   */
  suspend(accountId: string, reason: string, withOrganizations = false): Promise<readonly string[]> {
    return this.database.transaction(async (tx) => {
      const isChanged = await suspend(tx, accountId, reason);
      const suspended = isChanged ? [accountId] : [];
      // Nobody creates an organization in the meantime, because that locks the account of the owner.
      const owned = withOrganizations ? await ownership.ownedBy(tx, accountId) : [];
      for (const { id } of owned) if (await suspend(tx, id, reason)) suspended.push(id);
      return suspended;
    });
  }

  /** @returns false when the account was not suspended */
  resume(accountId: string): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if ((await tx.query(RESUME, [[accountId, testAccountOf(accountId)]])).length === 0) return false;
      await auditLog.record(tx, { action: 'account.resumed', accountId });
      return true;
    });
  }
}

/** @returns false when the account was suspended for this reason already */
async function suspend(tx: Queryable, accountId: string, reason: string): Promise<boolean> {
  const both = [accountId, testAccountOf(accountId)];
  // Lock the jobs before the account, as account deletion does.
  await inKeyBatches(tx, QUEUED, [both], (ids) => tx.query(CANCEL, [ids]));
  if ((await tx.query(SUSPEND, [both, reason])).length === 0) return false;
  await endSessions(tx, accountId);
  await tx.query(LEAVE, [accountId]);
  await auditLog.record(tx, { action: 'account.suspended', accountId, details: { reason } });
  return true;
}
