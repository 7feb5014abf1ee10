import { Injectable } from '@nestjs/common';
import { auditLog } from '../audit/audit-log.js';
import type { Prepared, Queryable } from '../infra/database/database.js';

/** Waits for whoever is about to write a row of this account; whoever comes later finds none. */
const LOCK: Prepared = {
  name: 'account_erase_lock',
  text: 'SELECT id FROM accounts WHERE id = $1 FOR UPDATE',
};

/**
 * Rows are deleted here and not by the cascade below: what the deletion returns is what the rows were at that
 * moment, a result stored by a worker a moment ago included.
 */
const JOBS: Prepared = {
  name: 'account_erase_jobs',
  text: `WITH gone AS (DELETE FROM jobs WHERE account_id = $1 RETURNING id, result_key, result_erased_at),
         kept AS (SELECT id, result_key FROM gone WHERE result_key IS NOT NULL AND result_erased_at IS NULL)
         INSERT INTO object_erasures (object_key)
         SELECT result_key FROM kept UNION ALL SELECT 'thumbnails/' || id || '.webp' FROM kept
         ON CONFLICT DO NOTHING`,
};

const SOURCES: Prepared = {
  name: 'account_erase_sources',
  text: `WITH gone AS (DELETE FROM sources WHERE account_id = $1 RETURNING id, object_key, deleted_at),
         kept AS (SELECT id, object_key FROM gone WHERE deleted_at IS NULL)
         INSERT INTO object_erasures (object_key)
         SELECT object_key FROM kept UNION ALL SELECT 'thumbnails/' || id || '.webp' FROM kept
         ON CONFLICT DO NOTHING`,
};

/** Keys, sessions, webhooks, events, usage and ledger go with it. */
const ACCOUNT: Prepared = { name: 'account_erase', text: 'DELETE FROM accounts WHERE id = $1' };

@Injectable()
export class AccountErasureRepository {
  /**
   * Deletes every row of the account, and notes the objects that are left to delete. Jobs before the account is
   * locked, as whoever ends a job locks them; then what came in between.
   */
  async erase(tx: Queryable, accountId: string): Promise<void> {
    for (const statement of [JOBS, SOURCES, LOCK, JOBS, SOURCES, ACCOUNT])
      await tx.query(statement, [accountId]);
    await auditLog.eraseAccount(tx, accountId);
  }
}
