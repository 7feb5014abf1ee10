import { Injectable } from '@nestjs/common';
import { auditLog } from '../audit/audit-log.js';
import type { Prepared, Queryable } from '../infra/database/database.js';
import { testAccountOf } from '../kernel/accounts/livemode.js';
import { AppError } from '../kernel/app-error.js';
import { invitationsRepository } from './invitations/invitations.repository.js';

/** Waits for transactions that are writing rows of this account. Later transactions find no account. */
const LOCK: Prepared = {
  name: 'account_erase_lock',
  text: 'SELECT id FROM accounts WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE',
};

/**
 * Deletes the rows explicitly instead of by cascade: RETURNING yields their latest state, including a result that a
 * worker stored a moment ago.
 */
const JOBS: Prepared = {
  name: 'account_erase_jobs',
  text: `WITH gone AS (DELETE FROM jobs WHERE account_id = ANY ($1::text[]) RETURNING id, result_key, result_erased_at),
         kept AS (SELECT id, result_key FROM gone WHERE result_key IS NOT NULL AND result_erased_at IS NULL)
         INSERT INTO object_erasures (object_key)
         SELECT result_key FROM kept UNION ALL SELECT 'thumbnails/' || id || '.webp' FROM kept
         ON CONFLICT DO NOTHING`,
};

const SOURCES: Prepared = {
  name: 'account_erase_sources',
  text: `WITH gone AS (DELETE FROM sources WHERE account_id = ANY ($1::text[]) RETURNING id, object_key, deleted_at),
         kept AS (SELECT id, object_key FROM gone WHERE deleted_at IS NULL)
         INSERT INTO object_erasures (object_key)
         SELECT object_key FROM kept UNION ALL SELECT 'thumbnails/' || id || '.webp' FROM kept
         ON CONFLICT DO NOTHING`,
};

/** Files that clients sent to the store for direct uploads that they never completed. */
const DIRECT_UPLOADS: Prepared = {
  name: 'account_erase_direct_uploads',
  text: `WITH gone AS (DELETE FROM direct_uploads WHERE account_id = ANY ($1::text[]) RETURNING id)
         INSERT INTO object_erasures (object_key) SELECT 'incoming/' || id FROM gone ON CONFLICT DO NOTHING`,
};

const OWNED: Prepared = {
  name: 'account_erase_owned',
  text: 'SELECT name FROM accounts WHERE owner_id = $1 ORDER BY lower(name)',
};

/** Notices have no foreign key, so no cascade deletes them. */
const NOTICES: Prepared = {
  name: 'account_erase_notices',
  text: 'DELETE FROM account_notices WHERE account_id = ANY ($1::text[])',
};

/** Keys, sessions, webhooks, events, usage, and ledger are deleted by cascade. */
const ACCOUNT: Prepared = { name: 'account_erase', text: 'DELETE FROM accounts WHERE id = ANY ($1::text[])' };

@Injectable()
export class AccountErasureRepository {
  /**
   * Deletes every row of the account and of its test mode, and records the objects still to be deleted. Locks jobs before
   * the account, in the same order as job completion does, then deletes jobs created in the meantime.
   * @throws AppError `owns_organizations`
   */
  async erase(tx: Queryable, accountId: string): Promise<void> {
    for (const statement of [JOBS, SOURCES, LOCK])
      await tx.query(statement, [[accountId, testAccountOf(accountId)]]);
    await requireNoOrganizations(tx, accountId);
    await invitationsRepository.discardMailsBy(tx, accountId);
    for (const statement of [JOBS, SOURCES, DIRECT_UPLOADS, NOTICES, ACCOUNT])
      await tx.query(statement, [[accountId, testAccountOf(accountId)]]);
    await auditLog.eraseAccount(tx, accountId);
    await auditLog.anonymize(tx, testAccountOf(accountId));
  }
}

/**
 * Prevents organizations from losing their primary owner. No organization can be created in the meantime, because its
 * creation locks the account.
 * @throws AppError `owns_organizations`
 */
async function requireNoOrganizations(tx: Queryable, accountId: string): Promise<void> {
  const owned = await tx.query<{ name: string }>(OWNED, [accountId]);
  if (owned.length === 0) return;
  const names = owned.map(({ name }) => name).join(', ');
  throw new AppError('owns_organizations', {
    detail: `The user is the primary owner of ${names}. Delete these organizations first. Nothing was deleted.`,
  });
}
