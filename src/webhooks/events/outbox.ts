import type { Prepared, Queryable } from '../../infra/database/database.js';
import { currentTraceparent } from '../../infra/telemetry/tracing/work-context.js';
import { newId } from '../../kernel/ids.js';
import { type EventType, withAliases } from './event-types.js';

/** Class of the advisory locks of the trigger `keep_chosen_event`. */
const EVENT_CHOICE_LOCK = 742_195;

/** The URL that an event of this type calls back; its aliases do not. `e`: the event. */
export function callbackOf(type: string, url: string): string {
  return `CASE WHEN e.type = ${type}::text THEN ${url}::text END`;
}

const INSERT: Prepared = {
  name: 'events_insert',
  text: `INSERT INTO events (id, account_id, type, data, created_at, traceparent, callback_url)
         SELECT e.id, $3, e.type, $4::jsonb, $5, $6::text, ${callbackOf('$7', '$8')} FROM unnest($1::text[], $2::text[]) AS e (id, type)`,
};

/** Ids and types of the rows of an event and its aliases, in order. */
export function eventRows(type: EventType): { readonly ids: string[]; readonly types: EventType[] } {
  const types = [...withAliases(type)];
  return { ids: types.map(() => newId('event')), types };
}

/** Writes an event and its aliases to the outbox in the caller's transaction. */
export async function writeEvent(
  tx: Queryable,
  event: {
    readonly accountId: string;
    readonly type: EventType;
    readonly data: Record<string, unknown>;
    readonly at: Date;
    /** The trace to use outside of any traced request. */
    readonly traceparent?: string | null;
    /** Called in addition to the endpoints that chose the event. See `CallbackHosts.prepare`. */
    readonly callbackUrl?: string | null | undefined;
  },
): Promise<void> {
  const { ids, types } = eventRows(event.type);
  const traceparent = currentTraceparent() ?? event.traceparent ?? null;
  await tx.query(INSERT, [
    ids,
    types,
    event.accountId,
    JSON.stringify(event.data),
    event.at,
    traceparent,
    event.type,
    event.callbackUrl ?? null,
  ]);
}

/** Blocks the registration and change of endpoints, as the trigger `keep_chosen_event` does. */
const CHOSEN: Prepared = {
  name: 'events_chosen',
  text: `WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${EVENT_CHOICE_LOCK}, hashtext($1)))
         SELECT 1 FROM held CROSS JOIN LATERAL (
           SELECT id FROM webhook_endpoints
            WHERE account_id = $1 AND (events @> ARRAY['*'] OR events && $2::text[]) LIMIT 1) chosen`,
};

const INSERT_MANY: Prepared = {
  name: 'events_insert_many',
  text: `INSERT INTO events (id, account_id, type, data, created_at, traceparent)
         SELECT e.id, $4, e.type, e.data, $5, $6::text
           FROM unnest($1::text[], $2::text[], $3::jsonb[]) AS e (id, type, data)`,
};

/**
 * Writes many events of one type, and their aliases, in the caller's transaction. Builds their data only when an
 * endpoint of the account chose the type.
 */
export async function writeEvents(
  tx: Queryable,
  event: {
    readonly accountId: string;
    readonly type: EventType;
    readonly data: () => readonly Record<string, unknown>[];
    readonly at: Date;
  },
): Promise<void> {
  const { accountId, type, at } = event;
  if ((await tx.query(CHOSEN, [accountId, withAliases(type)])).length === 0) return;
  const rows = event.data().flatMap((data) => {
    const json = JSON.stringify(data);
    return withAliases(type).map((each) => ({ id: newId('event'), type: each, json }));
  });
  const traceparent = currentTraceparent() ?? null;
  await tx.query(INSERT_MANY, [
    rows.map(({ id }) => id),
    rows.map((row) => row.type),
    rows.map(({ json }) => json),
    accountId,
    at,
    traceparent,
  ]);
}
