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

/** Makes unsuccessful deliveries due now. Deliveries in progress are skipped. */
const AGAIN: Prepared = {
  name: 'delivery_recover_again',
  text: `UPDATE webhook_deliveries SET status = 'pending', step = 0, next_attempt_at = now(), due_at = now()
          WHERE id IN (SELECT id FROM webhook_deliveries
                        WHERE endpoint_id = $1 AND created_at >= $2::timestamptz AND status IN ('pending', 'failed')
                          AND event_type = ANY ($3::text[]) AND id COLLATE "C" >= $4 AND NOT claimed
                          FOR UPDATE SKIP LOCKED)
         RETURNING 1 AS one`,
};

/** Events from while the endpoint was disabled. Fan-out handles events that it has not seen yet. */
const MISSED: Prepared = {
  name: 'delivery_recover_missed',
  text: `INSERT INTO webhook_deliveries (${NEW_DELIVERY_COLUMNS})
         SELECT ${newDeliveryValues('now()')}
           FROM webhook_endpoints w JOIN events e ON e.account_id = w.account_id
          WHERE w.id = $1 AND e.created_at >= greatest($2::timestamptz, w.created_at) AND e.dispatched_at IS NOT NULL
            AND e.id >= $3
            AND e.type <> 'ping' AND ${CHOSEN}
          ORDER BY e.id
         ON CONFLICT (event_id, endpoint_id) DO NOTHING
         RETURNING 1 AS one`,
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
   * Makes events due that occurred since then and were not delivered.
   * @returns the number of deliveries
   */
  async recover(tx: Queryable, endpointId: string, since: string): Promise<number> {
    const fromMs = Date.parse(since) - CLOCK_SLACK_MS;
    const again = await tx.query(AGAIN, [endpointId, since, ANY_EVENT_TYPES, lowestIdOf('delivery', fromMs)]);
    const missed = await tx.query(MISSED, [endpointId, since, lowestIdOf('event', fromMs)]);
    await tx.query(WAKE);
    return again.length + missed.length;
  }
}
