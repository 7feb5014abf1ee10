import type { Prepared, Queryable } from '../../infra/database/database.js';
import { lowestIdOf } from '../../kernel/ids.js';
import { ANY_EVENT_TYPES } from '../events/event-types.js';
import { CHOSEN, NEW_DELIVERY_COLUMNS, newDeliveryValues } from './delivery-rows.sql.js';

/** One step of a recovery makes at most this many deliveries due, because other work waits for the endpoint. */
export const RECOVERED_AT_ONCE = 2_000;

const NOW: Prepared = {
  name: 'delivery_recover_now',
  text: `SELECT date_trunc('milliseconds', now()) AS at`,
};

/** In the order of an index. Those that it makes due no longer match. */
const FAILED: Prepared = {
  name: 'delivery_recover_failed',
  text: dueAgain(
    `status = 'failed' AND event_type = ANY ($5::text[]) ORDER BY status, event_type, id COLLATE "C" DESC`,
  ),
};

/** Pending deliveries that wait for a later attempt. Those in progress are skipped. */
const DELAYED: Prepared = {
  name: 'delivery_recover_delayed',
  text: dueAgain(`status = 'pending' AND due_at > $4 AND NOT claimed ORDER BY due_at`),
};

/** @param chosen condition and order. `$4`: when the recovery began */
function dueAgain(chosen: string): string {
  return `UPDATE webhook_deliveries SET status = 'pending', step = 0, next_attempt_at = $4, due_at = $4
           WHERE id IN (SELECT id FROM webhook_deliveries
                         WHERE endpoint_id = $1 AND created_at >= $2::timestamptz AND id COLLATE "C" >= $3
                           AND ${chosen} LIMIT ${RECOVERED_AT_ONCE} FOR UPDATE SKIP LOCKED)
          RETURNING 1 AS one`;
}

/** Events from while the endpoint was disabled. Fan-out handles events that it has not seen yet. */
const MISSED: Prepared = {
  name: 'delivery_recover_missed',
  text: `WITH page AS (
           SELECT e.id, e.type FROM webhook_endpoints w JOIN events e ON e.account_id = w.account_id
            WHERE w.id = $1 AND e.created_at >= greatest($2::timestamptz, w.created_at)
              AND e.dispatched_at IS NOT NULL AND e.id > $3 AND e.type <> 'ping' AND ${CHOSEN}
            ORDER BY e.id LIMIT ${RECOVERED_AT_ONCE}),
         created AS (
           INSERT INTO webhook_deliveries (${NEW_DELIVERY_COLUMNS})
           SELECT ${newDeliveryValues('$4::timestamptz')} FROM page e JOIN webhook_endpoints w ON w.id = $1
            ORDER BY e.id
           ON CONFLICT (event_id, endpoint_id) DO NOTHING
           RETURNING 1)
         SELECT (SELECT count(*) FROM created)::int AS created, count(*)::int AS seen, max(id) AS last FROM page`,
};

/** Ids sort by time, but by another clock than `created_at`. */
const CLOCK_SLACK_MS = 86_400_000;

/** Where a recovery continues; at its beginning only with `since`. */
export interface Recovery {
  /** ISO 8601. */
  readonly since: string;
  /** When the recovery began, which is when its deliveries are due. */
  readonly at?: Date;
  readonly part?: keyof typeof PART_AFTER;
  /** The last event of an earlier step. */
  readonly after?: string | undefined;
}

export interface RecoveryStep {
  readonly deliveries: number;
  /** Undefined at the end. */
  readonly next: Recovery | undefined;
}

const PART_AFTER = { failed: 'delayed', delayed: 'missed', missed: null } as const;

/**
 * One step of a recovery, which makes events due that occurred since a time and were not delivered: first those that
 * failed, then those that wait for another attempt, then those that the endpoint missed.
 */
export async function recoverSome(
  tx: Queryable,
  endpointId: string,
  recovery: Recovery,
): Promise<RecoveryStep> {
  const { since, part = 'failed' } = recovery;
  const at = recovery.at ?? (await tx.query<{ at: Date }>(NOW))[0]!.at;
  const fromMs = Date.parse(since) - CLOCK_SLACK_MS;
  const { deliveries, isLast, after } = await (part === 'missed'
    ? missed(tx, [endpointId, since, recovery.after ?? lowestIdOf('event', fromMs), at])
    : again(tx, part, [endpointId, since, lowestIdOf('delivery', fromMs), at]));
  const next = isLast ? PART_AFTER[part] : part;
  return { deliveries, next: next === null ? undefined : { since, at, part: next, after } };
}

interface Part {
  readonly deliveries: number;
  readonly isLast: boolean;
  readonly after?: string;
}

async function again(tx: Queryable, part: 'failed' | 'delayed', values: readonly unknown[]): Promise<Part> {
  const rows = await (part === 'failed'
    ? tx.query(FAILED, [...values, ANY_EVENT_TYPES])
    : tx.query(DELAYED, values));
  return { deliveries: rows.length, isLast: rows.length < RECOVERED_AT_ONCE };
}

async function missed(tx: Queryable, values: readonly unknown[]): Promise<Part> {
  const [row] = await tx.query<{ created: number; seen: number; last: string }>(MISSED, values);
  const { created, seen, last } = row!;
  return { deliveries: created, isLast: seen < RECOVERED_AT_ONCE, after: last };
}
