import type { Prepared, Queryable } from '../infra/database/database.js';
import { inKeyBatches } from '../infra/database/key-batches.js';
import type { AuditAction } from './audit-actions.js';
import { type AuditActor, currentActor } from './audit-actor.js';

export interface AuditEntry {
  readonly action: AuditAction;
  /** The account whose log it belongs to; null for the installation. */
  readonly accountId: string | null;
  /** The changed object: the id of a key or an endpoint. */
  readonly targetId?: string;
  /** Names of changed fields, and values that are not secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

const COLUMNS = 'account_id, action, actor_kind, actor_id, target_id, address, user_agent, details';

const RECORD: Prepared = {
  name: 'audit_record',
  text: `INSERT INTO audit_events (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb)`,
};

/** Failed sign-ins, and repeated sign-ups, recorded for an account each hour; an attack must not fill the table. */
export const MAX_FAILURES_PER_HOUR = 10;

/**
 * Does the same work for an unknown account, but writes nothing. Does not wait for the disk, which would reveal that the
 * account exists: a crash of PostgreSQL may lose the last failures. An account that was deleted, or is just being deleted,
 * gets none, because nothing would remove the address from it.
 */
const RECORD_FAILURE: Prepared = {
  name: 'audit_record_failure',
  text: `WITH commits AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
         INSERT INTO audit_events (${COLUMNS})
         SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::jsonb FROM commits
          WHERE $1::text IS NOT NULL
            AND EXISTS (SELECT FROM accounts WHERE id = $1 FOR KEY SHARE SKIP LOCKED) AND (
            SELECT count(*) FROM (
              SELECT 1 FROM audit_events WHERE account_id = $1 AND action = $2
                 AND created_at > now() - interval '1 hour' LIMIT ${MAX_FAILURES_PER_HOUR}) recent
          ) < ${MAX_FAILURES_PER_HOUR}`,
};

/** Its own events, and those in the logs of organizations. */
const PERSONAL_EVENTS = `
  SELECT id::text AS key FROM audit_events WHERE account_id = $1
  UNION ALL
  SELECT id::text FROM audit_events WHERE actor_kind = 'person' AND actor_id = $1 AND actor_id <> account_id`;

const ERASE_EVENTS: Prepared = {
  name: 'audit_erase_events',
  text: 'SELECT audit_erase_events($1, $2::bigint[])',
};

/** The audit log. Stateless: every function runs on the given connection, in the transaction of the change. */
export const auditLog = {
  async record(on: Queryable, entry: AuditEntry): Promise<void> {
    await on.query(RECORD, valuesOf(entry, currentActor()));
  },

  /**
   * Records a failed sign-in, at most `MAX_FAILURES_PER_HOUR` per account.
   * @param on outside of a transaction with other changes, which would not wait for the disk either
   */
  async recordFailure(
    on: Queryable,
    accountId: string | null,
    details: AuditEntry['details'] = {},
  ): Promise<void> {
    await on.query(
      RECORD_FAILURE,
      valuesOf({ action: 'sign_in.failed', accountId, details }, currentActor()),
    );
  },

  /** Removes personal data from the log of an account. */
  async anonymize(tx: Queryable, accountId: string): Promise<void> {
    await inKeyBatches(tx, PERSONAL_EVENTS, [accountId], (ids) => tx.query(ERASE_EVENTS, [accountId, ids]));
  },

  /** Removes personal data from the log of an account that is being deleted, and records the deletion. */
  async eraseAccount(tx: Queryable, accountId: string): Promise<void> {
    const { kind, id } = currentActor();
    await auditLog.anonymize(tx, accountId);
    // Keeps the operator's id, so that it stays known who deleted a customer's account.
    const anonymous: AuditActor = {
      kind,
      id: kind === 'operator' ? id : null,
      address: null,
      userAgent: null,
    };
    await tx.query(RECORD, valuesOf({ action: 'account.deleted', accountId }, anonymous));
  },
};

function valuesOf({ action, accountId, targetId, details }: AuditEntry, actor: AuditActor): unknown[] {
  const { kind, id, address, userAgent } = actor;
  return [accountId, action, kind, id, targetId ?? null, address, userAgent, JSON.stringify(details ?? {})];
}
