import { isCustomerEventSql, mayGetEventSql } from '../events/event-types.js';

/**
 * A new delivery id in SQL, for statements that insert many rows: a UUIDv7 (RFC 9562) of this millisecond,
 * with the random part of a random UUID, whose variant bits are in the same place.
 */
export const NEW_DELIVERY_ID = `'dlv_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
  || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14)`;

/** Columns and values of a new delivery. `e`: the event, `w`: the endpoint. */
export const NEW_DELIVERY_COLUMNS =
  'id, account_id, endpoint_id, event_id, event_type, url, status, next_attempt_at, due_at, created_at';

/**
 * @param dueAt an expression for when the first attempt is due
 * @param url an expression for its URL
 */
export function newDeliveryValues(dueAt: string, url = 'w.url'): string {
  return `${NEW_DELIVERY_ID}, w.account_id, w.id, e.id, e.type, ${url}, 'pending', ${dueAt}, ${dueAt}, now()`;
}

/** Whether endpoint `w` has selected the type of event `e`, and its account may get it. */
export const CHOSEN = `(w.events @> ARRAY[e.type] AND ${mayGetEventSql('w.account_id', 'e.type')}
          OR (w.events @> ARRAY['*'] AND ${isCustomerEventSql('e.type')}))`;

/**
 * The channel that wakes dispatchers. No payload: an event was written (by a trigger). This payload: a
 * delivery became due.
 */
export const WAKE_CHANNEL = 'events_ready';
export const DELIVERIES_DUE = 'deliveries';

/** One statement fails at most this many deliveries, because other work waits for it. */
export const MAX_FAILED = 1_000;

/**
 * Fails pending deliveries of disabled endpoints, at most `MAX_FAILED`. The dispatcher fails the rest within minutes.
 * Deliveries in progress end with their result. Waits for no lock, so it can be part of any transaction. In the order of
 * an index: with LIMIT alone, PostgreSQL would scan the deliveries of all endpoints. As an array, because a join may run
 * the query several times, and each time it would find other rows.
 * @param endpointIds a query of the column `id`
 */
export function failPending(endpointIds: string): string {
  return `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, due_at = NULL
           WHERE id = ANY (ARRAY(SELECT d.id FROM (${endpointIds}) w
                                  CROSS JOIN LATERAL (
                                    SELECT id FROM webhook_deliveries
                                     WHERE endpoint_id = w.id AND status = 'pending' AND NOT claimed
                                     ORDER BY due_at LIMIT ${MAX_FAILED} FOR NO KEY UPDATE SKIP LOCKED) d
                                  LIMIT ${MAX_FAILED}))
          RETURNING 1 AS one`;
}

/**
 * Columns with the names of the entity. The next attempt waits for the `Retry-After` of the endpoint,
 * whatever the schedule says.
 */
export const DELIVERY_COLUMNS = `
  id, account_id AS "accountId", endpoint_id AS "endpointId", event_id AS "eventId", event_type AS "eventType", url,
  status, attempt_count AS "attemptCount", step, 
  CASE WHEN next_attempt_at IS NOT NULL THEN greatest(next_attempt_at,
    (SELECT w.paused_until FROM webhook_endpoints w WHERE w.id = endpoint_id)) END AS "nextAttemptAt",
  due_at AS "dueAt", claims, claimed, created_at AS "createdAt", delivered_at AS "deliveredAt"`;
