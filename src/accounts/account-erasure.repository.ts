import { Injectable } from '@nestjs/common';
import { auditLog } from '../audit/audit-log.js';
import { currentRole } from '../auth/sessions/current-role.js';
import type { Session } from '../auth/sessions/session.js';
import type { Prepared, Queryable } from '../infra/database/database.js';
import { inKeyBatches } from '../infra/database/key-batches.js';
import { testAccountOf } from '../kernel/accounts/livemode.js';
import { AppError } from '../kernel/app-error.js';
import { reportLastUsage } from '../quotas/reports/last-usage-report.js';
import { invitationsRepository } from './invitations/invitations.repository.js';
import { leaveOrganizations } from './members/departure.js';
import { ownership } from './members/ownership.js';

/** Waits for transactions that are writing rows of this account. Later transactions find no account. */
const LOCK: Prepared = {
  name: 'account_erase_lock',
  text: 'SELECT id FROM accounts WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE',
};

/** Jobs that have not ended: as job completion does, the transaction locks them before the account. */
const LOCK_JOBS: Prepared = {
  name: 'account_erase_lock_jobs',
  text: 'SELECT id FROM jobs WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE',
};

/** Rows that are deleted in batches, because a large account has hundreds of thousands of them. */
interface Rows {
  /** Finds their keys by the accounts, `$1`. */
  readonly keys: string;
  /** `$1`: keys. Run in this order. */
  readonly erase: readonly Prepared[];
}

/** Jobs that have not ended are not charged: the last report of the usage leaves them out. */
const REFUND_JOBS: Prepared = {
  name: 'account_erase_refund_jobs',
  text: `WITH open AS (
           SELECT id, account_id, period, enhancements FROM jobs
            WHERE id = ANY ($1::text[]) AND status IN ('queued', 'processing') AND enhancements > 0 FOR UPDATE)
         INSERT INTO quota_ledger (job_id, kind, account_id, period, enhancements)
         SELECT id, 'refund', account_id, period, enhancements FROM open ON CONFLICT DO NOTHING`,
};

/**
 * Deletes the rows explicitly instead of by cascade: RETURNING yields their latest state, including a result that a
 * worker stored a moment ago.
 */
const JOBS: Prepared = {
  name: 'account_erase_jobs',
  text: `WITH gone AS (DELETE FROM jobs WHERE id = ANY ($1::text[]) RETURNING id, result_key, result_erased_at),
         kept AS (SELECT id, result_key FROM gone WHERE result_key IS NOT NULL AND result_erased_at IS NULL)
         INSERT INTO object_erasures (object_key)
         SELECT result_key FROM kept UNION ALL SELECT 'thumbnails/' || id || '.webp' FROM kept
         ON CONFLICT DO NOTHING`,
};

const SOURCES: Prepared = {
  name: 'account_erase_sources',
  text: `WITH gone AS (DELETE FROM sources WHERE id = ANY ($1::text[]) RETURNING id, object_key, deleted_at),
         kept AS (SELECT id, object_key FROM gone WHERE deleted_at IS NULL)
         INSERT INTO object_erasures (object_key)
         SELECT object_key FROM kept UNION ALL SELECT 'thumbnails/' || id || '.webp' FROM kept
         ON CONFLICT DO NOTHING`,
};

/** Deliveries and their attempts are deleted by cascade. */
const EVENTS: Prepared = {
  name: 'account_erase_events',
  text: 'DELETE FROM events WHERE id = ANY ($1::text[])',
};

const LEDGER: Prepared = {
  name: 'account_erase_ledger',
  text: 'DELETE FROM quota_ledger WHERE job_id = ANY ($1::text[])',
};

/**
 * Most rows, so that requests wait for the rest only. Jobs that have not ended stay with all that belongs to them: a
 * refund would lock counters of the account before the account, the other way around than the creation of a job.
 */
const BEFORE_LOCK: readonly Rows[] = [
  { keys: keysOf('jobs', 'id', `status NOT IN ('queued', 'processing')`), erase: [JOBS] },
  {
    keys: keysOf('sources s', 'id', 'NOT EXISTS (SELECT FROM jobs WHERE source_id = s.id)'),
    erase: [SOURCES],
  },
  { keys: keysOf('events', 'id'), erase: [EVENTS] },
  {
    keys: keysOf('quota_ledger l', 'job_id', 'NOT EXISTS (SELECT FROM jobs WHERE id = l.job_id)'),
    erase: [LEDGER],
  },
  // Last, because workers that claim or renew these jobs wait for the end of the deletion.
  { keys: keysOf('jobs', 'id'), erase: [LOCK_JOBS] },
];

const AFTER_LOCK: readonly Rows[] = [
  { keys: keysOf('jobs', 'id'), erase: [REFUND_JOBS, JOBS] },
  { keys: keysOf('sources', 'id'), erase: [SOURCES] },
  { keys: keysOf('events', 'id'), erase: [EVENTS] },
  { keys: keysOf('quota_ledger', 'job_id'), erase: [LEDGER] },
];

function keysOf(table: string, column: string, condition = 'true'): string {
  return `SELECT ${column} AS key FROM ${table} WHERE account_id = ANY ($1::text[]) AND ${condition}`;
}

/** Files that clients sent to the store for direct uploads that they never completed. */
const DIRECT_UPLOADS: Prepared = {
  name: 'account_erase_direct_uploads',
  text: `WITH gone AS (DELETE FROM direct_uploads WHERE account_id = ANY ($1::text[]) RETURNING id)
         INSERT INTO object_erasures (object_key) SELECT 'incoming/' || id FROM gone ON CONFLICT DO NOTHING`,
};

/** Notices have no foreign key, so no cascade deletes them. */
const NOTICES: Prepared = {
  name: 'account_erase_notices',
  text: 'DELETE FROM account_notices WHERE account_id = ANY ($1::text[])',
};

/** Keys, sessions, webhooks, usage and other small tables are deleted by cascade. */
const ACCOUNT: Prepared = { name: 'account_erase', text: 'DELETE FROM accounts WHERE id = ANY ($1::text[])' };

@Injectable()
export class AccountErasureRepository {
  /**
   * Deletes every row of the account and of its test mode, and records the objects still to be deleted. Locks jobs before
   * the account, in the same order as job completion does, then deletes what was written in the meantime.
   * @param by who deletes it, unless an operator does: the session may end while most rows are deleted, because somebody
   *   changed the password or proved to own the address
   * @throws AppError `not_signed_in`, `owns_organizations`
   */
  async erase(tx: Queryable, accountId: string, by?: Session): Promise<void> {
    const both = [accountId, testAccountOf(accountId)];
    await eraseInBatches(tx, BEFORE_LOCK, both);
    await tx.query(LOCK, [both]);
    if (by !== undefined) await currentRole(tx, by.token, accountId);
    await requireNoOrganizations(tx, accountId);
    await leaveOrganizations(tx, accountId);
    await invitationsRepository.discardMailsBy(tx, accountId);
    await eraseInBatches(tx, AFTER_LOCK, both);
    await reportLastUsage(tx, accountId);
    for (const statement of [DIRECT_UPLOADS, NOTICES, ACCOUNT]) await tx.query(statement, [both]);
    await auditLog.eraseAccount(tx, accountId);
    await auditLog.anonymize(tx, testAccountOf(accountId));
  }
}

async function eraseInBatches(
  tx: Queryable,
  rows: readonly Rows[],
  accountIds: readonly string[],
): Promise<void> {
  for (const { keys, erase } of rows)
    await inKeyBatches(tx, keys, [accountIds], async (batch) => {
      for (const statement of erase) await tx.query(statement, [batch]);
    });
}

/**
 * Prevents organizations from losing their primary owner. No organization can be created in the meantime, because its
 * creation locks the account.
 * @throws AppError `owns_organizations`
 */
async function requireNoOrganizations(tx: Queryable, accountId: string): Promise<void> {
  const owned = await ownership.ownedBy(tx, accountId);
  if (owned.length === 0) return;
  const names = owned.map(
    ({ id, name, isSuspended }) => `${name} (${id}${isSuspended ? ', suspended' : ''})`,
  );
  const isOperatorNeeded = owned.some(({ isSuspended }) => isSuspended);
  throw new AppError('owns_organizations', {
    detail: `The user is the primary owner of ${names.join(', ')}. Delete these organizations first. ${
      isOperatorNeeded ? 'Only the operator of this service can resume or delete a suspended one. ' : ''
    }Nothing was deleted.`,
  });
}
