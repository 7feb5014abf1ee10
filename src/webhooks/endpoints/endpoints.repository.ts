import type { EndpointDisabledReason } from '../../mail/notices/account-notice.js';
import { insertEndpointNotices } from '../../mail/notices/endpoint-notice.sql.js';
import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { inKeyBatches, KEYS_PER_BATCH } from '../../infra/database/key-batches.js';
import { ENDPOINT_COLUMNS, type Endpoint } from './endpoint.entity.js';

/** Serializes additions of endpoints to an account without blocking references to it. */
const LOCK_ACCOUNT: Prepared = {
  name: 'endpoint_lock_account',
  text: 'SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
};

const INSERT: Prepared = {
  name: 'endpoint_insert',
  text: `INSERT INTO webhook_endpoints (id, account_id, url, events, description, metadata, enabled, sealed_secret,
           previous_secrets, created_at, updated_at)
         SELECT $1, $2, $3, $4, $5, $6::jsonb, true, $7, '[]', $8, $8
          WHERE (SELECT count(*) FROM webhook_endpoints WHERE account_id = $2 AND NOT callback) < $9::int
         RETURNING ${ENDPOINT_COLUMNS}`,
};

const FIND: Prepared = {
  name: 'endpoint_find',
  text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE account_id = $1 AND id = $2 AND NOT callback`,
};

/** Includes the hosts of callbacks: their deliveries may be sent again. */
const FIND_FOR_UPDATE: Prepared = {
  name: 'endpoint_find_for_update',
  text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE`,
};

const LIST = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints
  WHERE account_id = $1 AND NOT callback AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`;

const UPDATE: Prepared = {
  name: 'endpoint_update',
  text: `UPDATE webhook_endpoints SET url = $3, events = $4, description = $5, metadata = $6::jsonb, enabled = $7,
           disabled_reason = $8, first_failure_at = $9, paused_until = $10, updated_at = now()
          WHERE account_id = $1 AND id = $2 RETURNING ${ENDPOINT_COLUMNS}`,
};

const REPLACE_SECRET: Prepared = {
  name: 'endpoint_replace_secret',
  text: `UPDATE webhook_endpoints SET sealed_secret = $3, previous_secrets = $4::jsonb, updated_at = now()
          WHERE account_id = $1 AND id = $2 RETURNING ${ENDPOINT_COLUMNS}`,
};

/** One transaction deletes at most this many, in a few seconds, because other requests wait for the endpoint. */
export const DELIVERIES_PER_TRANSACTION = 5 * KEYS_PER_BATCH;

const LOCK_FOR_DELETION: Prepared = {
  name: 'endpoint_lock_for_deletion',
  text: 'SELECT id FROM webhook_endpoints WHERE account_id = $1 AND id = $2 AND NOT callback FOR UPDATE',
};

/** In the order of an index. */
const SOME_DELIVERIES = `SELECT id AS key FROM webhook_deliveries WHERE endpoint_id = $1
  ORDER BY status, event_type, id COLLATE "C" DESC LIMIT ${DELIVERIES_PER_TRANSACTION}`;

/** Their attempts are deleted by cascade. */
const DELETE_DELIVERIES: Prepared = {
  name: 'endpoint_delete_deliveries',
  text: 'DELETE FROM webhook_deliveries WHERE id = ANY ($1::text[])',
};

const DISABLE: Prepared = {
  name: 'endpoint_disable',
  text: `UPDATE webhook_endpoints SET enabled = false, disabled_reason = 'manual', updated_at = now()
          WHERE id = $1 AND enabled RETURNING id`,
};

const DELETE: Prepared = { name: 'endpoint_delete', text: 'DELETE FROM webhook_endpoints WHERE id = $1' };

export type NewEndpoint = Pick<
  Endpoint,
  'id' | 'accountId' | 'url' | 'events' | 'description' | 'metadata' | 'sealedSecret' | 'createdAt'
>;

const TELL: Prepared = {
  name: 'endpoint_tell_of_disabling',
  text: insertEndpointNotices(
    '(SELECT id, account_id, url, $2::text AS reason FROM webhook_endpoints WHERE id = $1 AND NOT callback) AS disabled',
  ),
};

@Injectable()
export class EndpointsRepository {
  constructor(private readonly database: Database) {}

  /** Undefined when the account already has `max` endpoints, even under concurrency. */
  async insert(tx: Queryable, endpoint: NewEndpoint, max: number): Promise<Endpoint | undefined> {
    await tx.query(LOCK_ACCOUNT, [endpoint.accountId]);
    const { id, accountId, url, events, description, metadata, sealedSecret, createdAt } = endpoint;
    const values = [
      id,
      accountId,
      url,
      events,
      description,
      JSON.stringify(metadata),
      sealedSecret,
      createdAt,
    ];
    return (await tx.query<Endpoint>(INSERT, [...values, max]))[0];
  }

  async find(accountId: string, id: string): Promise<Endpoint | undefined> {
    return (await this.database.query<Endpoint>(FIND, [accountId, id]))[0];
  }

  /** Locks the endpoint, or the host of callbacks, until the transaction ends. */
  async findForUpdate(tx: Queryable, accountId: string, id: string): Promise<Endpoint | undefined> {
    return (await tx.query<Endpoint>(FIND_FOR_UPDATE, [accountId, id]))[0];
  }

  /** Newest first, one more than `limit`. */
  async list(accountId: string, limit: number, beforeId: string | undefined): Promise<Endpoint[]> {
    return this.database.query<Endpoint>(LIST, [accountId, beforeId ?? null, limit + 1]);
  }

  /** Updates settings and state. */
  async update(tx: Queryable, endpoint: Endpoint): Promise<Endpoint> {
    const [row] = await tx.query<Endpoint>(UPDATE, [
      endpoint.accountId,
      endpoint.id,
      endpoint.url,
      endpoint.events,
      endpoint.description,
      JSON.stringify(endpoint.metadata),
      endpoint.enabled,
      endpoint.disabledReason,
      endpoint.firstFailureAt,
      endpoint.pausedUntil,
    ]);
    return row!;
  }

  /** Notifies the members of the account that somebody else disabled the endpoint. */
  async tellOfDisabling(tx: Queryable, id: string, reason: EndpointDisabledReason): Promise<void> {
    await tx.query(TELL, [id, reason]);
  }

  async replaceSecret(
    tx: Queryable,
    endpoint: Pick<Endpoint, 'accountId' | 'id' | 'sealedSecret' | 'previousSecrets'>,
  ): Promise<Endpoint> {
    const { accountId, id, sealedSecret, previousSecrets } = endpoint;
    const values = [accountId, id, sealedSecret, JSON.stringify(previousSecrets)];
    return (await tx.query<Endpoint>(REPLACE_SECRET, values))[0]!;
  }

  /**
   * Deletes its deliveries, too. If they are many, it is disabled and they are deleted in several transactions, so that
   * nobody waits for long: a deletion that fails in between leaves a disabled endpoint, and the next one continues.
   * @returns false when it did not exist
   */
  async delete(accountId: string, id: string): Promise<boolean> {
    for (;;) {
      const left = await this.database.transaction((tx) => deletePart(tx, accountId, id));
      if (left !== 'deliveries') return left === 'nothing';
    }
  }
}

/** @returns what is left; undefined when the endpoint did not exist */
async function deletePart(
  tx: Queryable,
  accountId: string,
  id: string,
): Promise<'deliveries' | 'nothing' | undefined> {
  if ((await tx.query(LOCK_FOR_DELETION, [accountId, id])).length === 0) return undefined;
  if ((await deleteSomeDeliveries(tx, id)) === DELIVERIES_PER_TRANSACTION) {
    const isChanged = (await tx.query(DISABLE, [id])).length === 1;
    const details = { reason: 'manual' };
    if (isChanged)
      await auditLog.record(tx, { action: 'endpoint.disabled', accountId, targetId: id, details });
    return 'deliveries';
  }
  await tx.query(DELETE, [id]);
  await auditLog.record(tx, { action: 'endpoint.deleted', accountId, targetId: id });
  return 'nothing';
}

/** @returns how many */
async function deleteSomeDeliveries(tx: Queryable, endpointId: string): Promise<number> {
  let deleted = 0;
  await inKeyBatches(tx, SOME_DELIVERIES, [endpointId], async (ids) => {
    await tx.query(DELETE_DELIVERIES, [ids]);
    deleted += ids.length;
  });
  return deleted;
}
