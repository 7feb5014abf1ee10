import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { inKeyBatches } from '../../infra/database/key-batches.js';
import { currentTraceparent } from '../../infra/telemetry/tracing/work-context.js';
import { ID_PREFIXES } from '../../kernel/ids.js';
import { isServiceEvent, SERVICE_EVENT_TYPES, type ServiceEventType } from './event-types.js';

/** A new id in SQL, as `newId` makes it: a UUIDv7 (RFC 9562). */
const NEW_ID = `'${ID_PREFIXES.event}_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
  || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14)`;

/** Starts from the operators, of whom there are a few. A disabled endpoint counts, because it can recover events. */
const CHOSEN = `accounts a
          WHERE a.operator_since IS NOT NULL AND EXISTS (
            SELECT FROM webhook_endpoints w WHERE w.account_id = a.id AND w.events @> ARRAY[$1::text])`;

const INSERT: Prepared = {
  name: 'service_events_insert',
  text: `INSERT INTO events (id, account_id, type, data, created_at, traceparent)
         SELECT ${NEW_ID}, a.id, $1, told.data, $3, $4
           FROM (SELECT unnest($2::jsonb[]) AS data) told CROSS JOIN ${CHOSEN}`,
};

/** Shared by writers, who hold it until their transaction ends, so that `eraseOf` misses no event. */
const WRITE_LOCK: Prepared = {
  name: 'service_events_write_lock',
  text: `SELECT pg_advisory_xact_lock_shared(hashtextextended('service events', 0))`,
};

const ERASE_LOCK: Prepared = {
  name: 'service_events_erase_lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('service events', 0))`,
};

const OF_ACCOUNT = `SELECT id AS key FROM events WHERE account_id = $1 AND type = ANY ($2::text[])`;

/** Deliveries and their attempts are deleted by cascade. */
const ERASE: Prepared = {
  name: 'service_events_erase',
  text: 'DELETE FROM events WHERE id = ANY ($1::text[])',
};

const IS_CHOSEN: Prepared = { name: 'service_events_is_chosen', text: `SELECT 1 FROM ${CHOSEN} LIMIT 1` };

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

const IS_OPERATOR: Prepared = {
  name: 'service_events_is_operator',
  text: 'SELECT 1 FROM accounts WHERE id = $1 AND operator_since IS NOT NULL',
};

/** Events about customers, for the accounts of operators. */
export const serviceEvents = {
  /**
   * Writes the event once for each account that chose the type and whose user is an operator now, in the caller's
   * transaction.
   */
  async write(tx: Queryable, type: ServiceEventType, data: Readonly<Record<string, unknown>>): Promise<void> {
    await serviceEvents.writeAll(tx, type, [data]);
  },

  /** Like `write`, for several events of one type. */
  async writeAll(
    tx: Queryable,
    type: ServiceEventType,
    data: readonly Readonly<Record<string, unknown>>[],
  ): Promise<void> {
    if (data.length === 0) return;
    const told = data.map((one) => JSON.stringify(one));
    // Its own statement, so that the next one sees whose role was revoked in the meantime.
    await tx.query(WRITE_LOCK);
    await tx.query(INSERT, [type, told, new Date(), currentTraceparent() ?? null]);
  },

  /**
   * Deletes those of an account whose user is no longer an operator, sent or not. Call it in the transaction that
   * revokes the role, after the account was locked: a change of its plan takes the locks in this order.
   */
  async eraseOf(tx: Queryable, accountId: string): Promise<void> {
    await tx.query(ERASE_LOCK);
    await inKeyBatches(tx, OF_ACCOUNT, [accountId, SERVICE_EVENT_TYPES], (ids) => tx.query(ERASE, [ids]));
  },

  /** Whether an operator has chosen the type. */
  async isChosen(on: Queryable, type: ServiceEventType): Promise<boolean> {
    return (await on.query(IS_CHOSEN, [type])).length > 0;
  },

  /** Whether this account can choose them. */
  async areFor(on: Queryable, accountId: string): Promise<boolean> {
    return (await on.query(IS_OPERATOR, [accountId])).length > 0;
  },

  /** @throws AppError `invalid_request` when the account may not choose one of these types */
  async requireChoosable(
    on: Queryable,
    accountId: string,
    events: readonly string[] | undefined,
  ): Promise<void> {
    if (events?.some(isServiceEvent) !== true || (await serviceEvents.areFor(on, accountId))) return;
    throw invalidRequest([
      {
        field: 'events',
        code: 'enum',
        message: `Only accounts of operators of this service can choose ${LIST.format(SERVICE_EVENT_TYPES)}`,
      },
    ]);
  },
};
