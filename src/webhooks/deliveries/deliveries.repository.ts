import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { mergeNewestOfEach } from '../../infra/database/merge-newest.js';
import type { AttemptEntity } from './attempt.entity.js';
import { DELIVERY_STATUSES, type DeliveryEntity, type DeliveryStatus } from './delivery.entity.js';
import { DELIVERY_COLUMNS, DELIVERIES_DUE, WAKE_CHANNEL } from './delivery-rows.sql.js';
import { ANY_EVENT_TYPES, type AnyEventType, EVENT_TYPES, mayGetEventSql } from '../events/event-types.js';
import { serviceEvents } from '../events/service-events.js';

const FIND: Prepared = {
  name: 'delivery_find',
  text: `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries
          WHERE account_id = $1 AND id = $2 AND ${mayGetEventSql('$1', 'event_type')}`,
};

/** Conditions on null parameters are always true; PostgreSQL plans each page for its values. */
const PAGE = `($2::text IS NULL OR id COLLATE "C" < $2)`;
const OF_ACCOUNT = `account_id = $1 AND $3::text IS NULL AND ${PAGE}`;
/** Without the deliveries' `account_id`, so that the planner does not scan deliveries of other endpoints. */
const OF_ENDPOINT = `endpoint_id = (SELECT id FROM webhook_endpoints WHERE account_id = $1 AND id = $3) AND ${PAGE}`;

/** More attempts than the schedule has; repeated recoveries add more. */
const SHOWN_ATTEMPTS = 20;

const ATTEMPTS: Prepared = {
  name: 'delivery_attempts',
  text: `SELECT a.delivery_id AS "deliveryId", a.number, a.started_at AS "startedAt", a.duration_ms AS "durationMs",
                a.response_status AS "responseStatus", a.response_body AS "responseBody", a.error
           FROM unnest($1::text[]) AS d (id)
          CROSS JOIN LATERAL (SELECT * FROM webhook_attempts WHERE delivery_id = d.id
                               ORDER BY number DESC LIMIT ${SHOWN_ATTEMPTS}) a
          ORDER BY a.delivery_id, a.number`,
};

/** A delivery in progress is not changed: its attempt is the requested one. */
const REDELIVER: Prepared = {
  name: 'delivery_redeliver',
  text: `UPDATE webhook_deliveries SET status = 'pending', step = 0, next_attempt_at = now(), due_at = now(),
           delivered_at = NULL
          WHERE account_id = $1 AND id = $2 AND NOT claimed RETURNING ${DELIVERY_COLUMNS}`,
};

const WAKE: Prepared = {
  name: 'delivery_wake',
  text: `SELECT pg_notify('${WAKE_CHANNEL}', '${DELIVERIES_DUE}')`,
};

export interface DeliveryFilter {
  readonly beforeId?: string | undefined;
  readonly endpointId?: string | undefined;
  readonly eventType?: AnyEventType | undefined;
  readonly status?: DeliveryStatus | undefined;
}

/** Reads deliveries and schedules redeliveries. The dispatcher sends them. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  async find(
    accountId: string,
    id: string,
    on: Queryable = this.database,
  ): Promise<DeliveryEntity | undefined> {
    return (await on.query<DeliveryEntity>(FIND, [accountId, id]))[0];
  }

  /** Newest first, one more than `limit`. */
  async list(accountId: string, filter: DeliveryFilter, limit: number): Promise<DeliveryEntity[]> {
    const { beforeId, endpointId, eventType, status } = filter;
    const statuses = DELIVERY_STATUSES.filter((one) => status === undefined || one === status);
    // Asks the primary, because a replica may not know yet that the role was revoked.
    const readable = (await serviceEvents.areFor(this.database, accountId)) ? ANY_EVENT_TYPES : EVENT_TYPES;
    const types = readable.filter((one) => eventType === undefined || one === eventType);
    const condition = endpointId === undefined ? OF_ACCOUNT : OF_ENDPOINT;
    const each = { status: '$5', event_type: '$6' };
    return this.database.lists.query<DeliveryEntity>(
      `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries
        WHERE id IN (${mergeNewestOfEach('webhook_deliveries', condition, each, '$4')}) ORDER BY id DESC`,
      [accountId, beforeId ?? null, endpointId ?? null, limit + 1, statuses, types],
    );
  }

  /** All attempts of these deliveries, oldest first. Check the account of the deliveries first. */
  async attempts(deliveryIds: readonly string[]): Promise<AttemptEntity[]> {
    return this.database.query<AttemptEntity>(ATTEMPTS, [deliveryIds]);
  }

  /** Makes the delivery due now and wakes the dispatchers. Undefined when an attempt is in progress. */
  async redeliver(tx: Queryable, accountId: string, id: string): Promise<DeliveryEntity | undefined> {
    const [row] = await tx.query<DeliveryEntity>(REDELIVER, [accountId, id]);
    await tx.query(WAKE);
    return row;
  }
}
