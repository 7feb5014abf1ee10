import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Database, Prepared, Queryable } from '../../infra/database/database.js';
import { KEYS_PER_BATCH } from '../../infra/database/key-batches.js';
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

/** One batch, by id. Keeps the events of an account that has the role again. Deliveries are deleted by cascade. */
const ERASE_SOME: Prepared = {
  name: 'service_events_erase_some',
  text: `WITH gone AS (
           DELETE FROM events WHERE id = ANY (ARRAY(
             SELECT e.id FROM events e
              WHERE e.account_id = $1 AND e.type = ANY ($2::text[]) AND e.id > $3
                AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = $1 AND a.operator_since IS NOT NULL)
              ORDER BY e.id LIMIT ${KEYS_PER_BATCH}))
           RETURNING id)
         SELECT max(id) AS last FROM gone`,
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
    await tx.query(INSERT, [type, told, new Date(), currentTraceparent() ?? null]);
  },

  /**
   * Deletes those of an account whose user is no longer an operator, sent or not. Each batch is a transaction of its own,
   * so that nothing else waits. Another call deletes what an interrupted one has left.
   */
  async eraseOf(database: Database, accountId: string): Promise<void> {
    let last: string | null = '';
    while (last !== null) last = await eraseSome(database, accountId, last);
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

/** @returns the last deleted id, or null when none was left */
async function eraseSome(database: Database, accountId: string, afterId: string): Promise<string | null> {
  const values = [accountId, SERVICE_EVENT_TYPES, afterId];
  return (await database.query<{ last: string | null }>(ERASE_SOME, values))[0]!.last;
}
