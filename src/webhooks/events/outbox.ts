import type { Prepared, Queryable } from '../../infra/database/database.js';
import { currentTraceparent } from '../../infra/telemetry/tracing/work-context.js';
import { newId } from '../../kernel/ids.js';
import { type EventType, withAliases } from './event-types.js';

const INSERT: Prepared = {
  name: 'events_insert',
  text: `INSERT INTO events (id, account_id, type, data, created_at, traceparent)
         SELECT e.id, $3, e.type, $4::jsonb, $5, $6::text FROM unnest($1::text[], $2::text[]) AS e (id, type)`,
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
  },
): Promise<void> {
  const { ids, types } = eventRows(event.type);
  const traceparent = currentTraceparent() ?? event.traceparent ?? null;
  await tx.query(INSERT, [ids, types, event.accountId, JSON.stringify(event.data), event.at, traceparent]);
}
