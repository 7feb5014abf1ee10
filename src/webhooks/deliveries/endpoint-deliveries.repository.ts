import { Injectable } from '@nestjs/common';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { lowestIdOf } from '../../kernel/ids.js';
import {
  CHOSEN,
  DELIVERIES_DUE,
  failPending,
  MAX_FAILED,
  NEW_DELIVERY_COLUMNS,
  newDeliveryValues,
  WAKE_CHANNEL,
} from './delivery-rows.sql.js';
import { ANY_EVENT_TYPES } from '../events/event-types.js';

/** Locks the endpoint, so that it is not enabled in the meantime. */
const FAIL_PENDING: Prepared = {
  name: 'delivery_fail_pending',
  text: failPending(
    'SELECT w.id FROM webhook_endpoints w WHERE w.id = $1 AND NOT w.enabled FOR SHARE SKIP LOCKED',
  ),
};

const PING: Prepared = {
  name: 'delivery_ping',
  text: `WITH e AS (
           INSERT INTO events (id, account_id, type, data, created_at, dispatched_at)
           VALUES ($3, $1, 'ping', '{}', now(), now()) RETURNING id, type)
         INSERT INTO webhook_deliveries (${NEW_DELIVERY_COLUMNS})
         SELECT ${newDeliveryValues('now()')} FROM e, webhook_endpoints w WHERE w.account_id = $1 AND w.id = $2
         RETURNING id`,
};

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

const WAKE: Prepared = {
  name: 'delivery_wake',
  text: `SELECT pg_notify('${WAKE_CHANNEL}', '${DELIVERIES_DUE}')`,
};

/** Starts and ends deliveries of one endpoint for its owner. */
@Injectable()
export class EndpointDeliveriesRepository {
  /**
   * Fails pending deliveries of a disabled endpoint, at most `MAX_FAILED`.
   * @returns whether others may be left
   */
  async failPending(on: Queryable, endpointId: string): Promise<boolean> {
    return (await on.query(FAIL_PENDING, [endpointId])).length === MAX_FAILED;
  }

  /** Notifies dispatchers that delayed deliveries are due. */
  async wake(tx: Queryable): Promise<void> {
    await tx.query(WAKE);
  }

  /** Writes a `ping` for this endpoint alone. @returns the id of the delivery */
  async ping(tx: Queryable, accountId: string, endpointId: string, eventId: string): Promise<string> {
    const [row] = await tx.query<{ id: string }>(PING, [accountId, endpointId, eventId]);
    await tx.query(WAKE);
    return row!.id;
  }

  /**
   * One step of a recovery, which makes events due that occurred since a time and were not delivered: first those that
   * failed, then those that wait for another attempt, then those that the endpoint missed.
   */
  async recover(tx: Queryable, endpointId: string, recovery: Recovery): Promise<RecoveryStep> {
    const { since, part = 'failed' } = recovery;
    const at = recovery.at ?? (await tx.query<{ at: Date }>(NOW))[0]!.at;
    const fromMs = Date.parse(since) - CLOCK_SLACK_MS;
    const step = await (part === 'missed'
      ? missed(tx, [endpointId, since, recovery.after ?? lowestIdOf('event', fromMs), at])
      : again(tx, part, [endpointId, since, lowestIdOf('delivery', fromMs), at]));
    await tx.query(WAKE);
    const { deliveries, isLast, after } = step;
    const next = isLast ? PART_AFTER[part] : part;
    return { deliveries, next: next === null ? undefined : { since, at, part: next, after } };
  }
}

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
