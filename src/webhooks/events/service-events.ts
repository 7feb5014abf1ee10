import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { currentTraceparent } from '../../infra/telemetry/tracing/work-context.js';
import { ID_PREFIXES } from '../../kernel/ids.js';
import { isServiceEvent, SERVICE_EVENT_TYPES, type ServiceEventType } from './event-types.js';

/** A new id in SQL, as `newId` makes it: a UUIDv7 (RFC 9562). */
const NEW_ID = `'${ID_PREFIXES.event}_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
  || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14)`;

/** Starts from the operators, of whom there are a few. A disabled endpoint counts, because it can recover events. */
const INSERT: Prepared = {
  name: 'service_events_insert',
  text: `INSERT INTO events (id, account_id, type, data, created_at, traceparent)
         SELECT ${NEW_ID}, a.id, $1, $2::jsonb, $3, $4
           FROM accounts a
          WHERE a.operator_since IS NOT NULL AND EXISTS (
            SELECT FROM webhook_endpoints w WHERE w.account_id = a.id AND w.events @> ARRAY[$1::text])`,
};

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
  async write(
    tx: Queryable,
    type: ServiceEventType,
    data: Readonly<Record<string, unknown>>,
    at: Date = new Date(),
  ): Promise<void> {
    await tx.query(INSERT, [type, JSON.stringify(data), at, currentTraceparent() ?? null]);
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
        message: `Only accounts of operators of this service can choose ${SERVICE_EVENT_TYPES.join(' and ')}`,
      },
    ]);
  },
};
