import type { Prepared, Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { lowestIdOf } from '../../kernel/ids.js';
import { ANY_EVENT_TYPES, mayGetEventSql } from '../events/event-types.js';
import { CHOSEN, NEW_DELIVERY_COLUMNS, newDeliveryValues } from './delivery-rows.sql.js';

/** One step of a recovery makes at most this many deliveries due, because other work waits for the endpoint. */
export const RECOVERED_AT_ONCE = 2_000;

const LOCK: Prepared = {
  name: 'delivery_recover_lock',
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended('recover:' || $1 || $2, 0)) AS locked`,
};

/**
 * Each statement of a step must stop after its first rows in the order of an index, but PostgreSQL underestimates the
 * rows of a large endpoint and would read and sort all of them.
 */
const BEGIN: Prepared = {
  name: 'delivery_recover_begin',
  text: `SELECT date_trunc('milliseconds', now()) AS at,
                set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
};

/** Pending deliveries that wait for a later attempt. Those in progress are skipped, and so are new ones. */
const DELAYED: Prepared = {
  name: 'delivery_recover_delayed',
  text: dueAgain(
    `status = 'pending' AND due_at > $4 AND due_at >= $5 AND created_at <= $4 AND NOT claimed ORDER BY due_at`,
  ),
};

/** Those that it makes due no longer match. */
const FAILED: Prepared = {
  name: 'delivery_recover_failed',
  text: dueAgain(
    `status = 'failed' AND event_type = ANY ($5::text[]) ORDER BY status, event_type, id COLLATE "C" DESC`,
  ),
};

/** @param chosen condition and order. `$4`: when the recovery began */
function dueAgain(chosen: string): string {
  return `WITH c AS MATERIALIZED (
            SELECT id, due_at FROM webhook_deliveries
             WHERE endpoint_id = $1 AND created_at >= $2::timestamptz AND id COLLATE "C" >= $3
               AND ${mayGetEventSql('webhook_deliveries.account_id', 'event_type')}
               AND ${chosen} LIMIT ${RECOVERED_AT_ONCE} FOR UPDATE SKIP LOCKED)
          UPDATE webhook_deliveries d SET status = 'pending', step = 0, next_attempt_at = $4, due_at = $4
            FROM c WHERE d.id = c.id
          RETURNING c.due_at AS "dueAt"`;
}

/** Events from while the endpoint was disabled. Fan-out handles events that it has not seen yet. */
const MISSED: Prepared = {
  name: 'delivery_recover_missed',
  text: `WITH page AS (
           SELECT e.id, e.type FROM webhook_endpoints w CROSS JOIN LATERAL (
             SELECT e.id, e.type FROM events e
              WHERE e.account_id = w.account_id AND e.created_at >= greatest($2::timestamptz, w.created_at)
                AND e.dispatched_at IS NOT NULL AND e.id > $3 AND e.type <> 'ping' AND ${CHOSEN}
              ORDER BY e.id LIMIT ${RECOVERED_AT_ONCE}) e
            WHERE w.id = $1),
         created AS (
           INSERT INTO webhook_deliveries (${NEW_DELIVERY_COLUMNS})
           SELECT ${newDeliveryValues('$4::timestamptz')} FROM page e CROSS JOIN webhook_endpoints w WHERE w.id = $1
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
  /** Where the last step ended: the last event, or the time of the last delivery that waited. */
  readonly after?: string | Date | undefined;
}

export interface RecoveryStep {
  readonly deliveries: number;
  /** Undefined at the end. */
  readonly next: Recovery | undefined;
}

/** Those that wait come first: deliveries that this recovery made due may fail and wait again. */
const PART_AFTER = { delayed: 'failed', failed: 'missed', missed: null } as const;

const RETRY_AFTER_SECONDS = 5;

/**
 * Begins the transaction of a step, before the endpoint is locked: another recovery must not wait for that lock.
 * @throws AppError `service_unavailable` while another recovery of this endpoint runs a step
 */
export async function lockRecovery(tx: Queryable, accountId: string, endpointId: string): Promise<void> {
  const [row] = await tx.query<{ locked: boolean }>(LOCK, [accountId, endpointId]);
  if (row!.locked) return;
  throw new AppError('service_unavailable', {
    detail: `Another recovery of this endpoint is in progress. Retry in ${RETRY_AFTER_SECONDS} seconds; deliveries that are already due are not affected.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/**
 * One step of a recovery, which makes events due that occurred since a time and were not delivered: first those that
 * wait for another attempt, then those that failed, then those that the endpoint missed.
 */
export async function recoverSome(
  tx: Queryable,
  endpointId: string,
  recovery: Recovery,
): Promise<RecoveryStep> {
  const { since, part = 'delayed', after } = recovery;
  const [begun] = await tx.query<{ at: Date }>(BEGIN);
  const at = recovery.at ?? begun!.at;
  const fromMs = Date.parse(since) - CLOCK_SLACK_MS;
  const step = await (part === 'missed'
    ? missed(tx, [endpointId, since, after ?? lowestIdOf('event', fromMs), at])
    : again(tx, part, [endpointId, since, lowestIdOf('delivery', fromMs), at, cursorOf(part, after ?? at)]));
  const next = step.isLast ? PART_AFTER[part] : part;
  return {
    deliveries: step.deliveries,
    next: next === null ? undefined : { since, at, part: next, ...(!step.isLast && { after: step.after }) },
  };
}

interface Part {
  readonly deliveries: number;
  readonly isLast: boolean;
  readonly after: string | Date | undefined;
}

const cursorOf = (part: 'failed' | 'delayed', after: string | Date): unknown =>
  part === 'delayed' ? after : ANY_EVENT_TYPES;

async function again(tx: Queryable, part: 'failed' | 'delayed', values: readonly unknown[]): Promise<Part> {
  const rows = await tx.query<{ dueAt: Date | null }>(part === 'failed' ? FAILED : DELAYED, values);
  const dueMs = rows.map(({ dueAt }) => dueAt?.getTime() ?? 0);
  const after = part === 'delayed' && rows.length > 0 ? new Date(Math.max(...dueMs)) : undefined;
  return { deliveries: rows.length, isLast: rows.length < RECOVERED_AT_ONCE, after };
}

async function missed(tx: Queryable, values: readonly unknown[]): Promise<Part> {
  const [row] = await tx.query<{ created: number; seen: number; last: string }>(MISSED, values);
  const { created, seen, last } = row!;
  return { deliveries: created, isLast: seen < RECOVERED_AT_ONCE, after: last };
}
