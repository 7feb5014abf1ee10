import { Injectable } from '@nestjs/common';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import {
  DELIVERIES_DUE,
  failPending,
  MAX_FAILED,
  NEW_DELIVERY_COLUMNS,
  newDeliveryValues,
  WAKE_CHANNEL,
} from './delivery-rows.sql.js';

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
}
