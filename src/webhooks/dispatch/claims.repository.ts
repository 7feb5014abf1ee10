import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { livemodeOf } from '../../kernel/accounts/livemode.js';
import type { PreviousSecret } from '../endpoints/endpoint.entity.js';
import { type EventType, mayGetEventSql } from '../events/event-types.js';
import type { ClaimedRow } from './claimed-delivery.js';
import {
  FIRST_PENDING,
  HOST_OF_ACCOUNT,
  PENDING_ENDPOINTS,
  type ReadyEndpoint,
} from './pending-endpoints.sql.js';

/** Each enabled endpoint with pending deliveries, and when the first of them is due, at two lookups each. */
const WAITING: Prepared = {
  name: 'claims_waiting',
  text: `
    WITH RECURSIVE ${PENDING_ENDPOINTS}
    SELECT w.id AS "endpointId", ${HOST_OF_ACCOUNT} AS host,
           extract(epoch FROM greatest(first.due_at, w.paused_until) - now())::float8 * 1000 AS "dueInMs"
      FROM hop JOIN webhook_endpoints w ON w.id = hop.endpoint_id AND w.enabled
     CROSS JOIN ${FIRST_PENDING}`,
};

/**
 * Claims due deliveries, up to the free slots of each endpoint. Two dispatchers claim different rows. Deletes deliveries
 * of events about customers whose account lost the operator role, which the revocation has not deleted yet.
 */
const CLAIM: Prepared = {
  name: 'claims_claim',
  text: `
    WITH picked AS (
      SELECT due.id, due.is_allowed, w.url, w.callback
        FROM unnest($1::text[], $2::int[]) AS room (endpoint_id, free)
        JOIN webhook_endpoints w ON w.id = room.endpoint_id AND w.enabled
         AND (w.paused_until IS NULL OR w.paused_until <= now())
       CROSS JOIN LATERAL (SELECT d.id, ${mayGetEventSql('d.account_id', 'd.event_type')} AS is_allowed
                             FROM webhook_deliveries d
                            WHERE d.endpoint_id = room.endpoint_id AND d.status = 'pending' AND d.due_at <= now()
                            ORDER BY d.due_at LIMIT room.free FOR UPDATE SKIP LOCKED) AS due),
    refused AS (
      DELETE FROM webhook_deliveries d USING picked WHERE d.id = picked.id AND NOT picked.is_allowed),
    claimed AS (
      UPDATE webhook_deliveries d
         SET claimed = true, claims = d.claims + 1, due_at = now() + $3 * interval '1 millisecond',
             url = CASE WHEN picked.callback THEN d.url ELSE picked.url END
        FROM picked WHERE d.id = picked.id AND picked.is_allowed
      RETURNING d.id, d.claims, d.step, d.endpoint_id, d.event_id, d.url, picked.url AS endpoint_url, picked.callback)
    SELECT c.id, c.claims AS claim, c.step, c.url, c.endpoint_url AS "endpointUrl", c.callback AS "isCallback", c.endpoint_id AS "endpointId",
           e.id AS "eventId", e.type AS "eventType", e.created_at AS "eventCreatedAt", e.account_id AS "accountId", e.data AS "eventData",
           e.traceparent,
           w.sealed_secret AS "sealedSecret", w.previous_secrets AS "previousSecrets"
      FROM claimed c JOIN events e ON e.id = c.event_id JOIN webhook_endpoints w ON w.id = c.endpoint_id`,
};

/** Releases claims without an attempt: due at once, for any dispatcher. */
const RELEASE: Prepared = {
  name: 'claims_release',
  text: `UPDATE webhook_deliveries d SET claimed = false, due_at = now()
           FROM unnest($1::text[], $2::int[]) AS given (id, claim)
          WHERE d.id = given.id AND d.claims = given.claim AND d.claimed`,
};

export interface WaitingEndpoint extends ReadyEndpoint {
  /** Negative or zero: now. */
  readonly dueInMs: number;
}

interface Row {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly claim: number;
  readonly step: number;
  readonly url: string;
  readonly endpointUrl: string;
  readonly isCallback: boolean;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly eventCreatedAt: Date;
  readonly accountId: string;
  readonly eventData: Record<string, unknown>;
  readonly traceparent: string | null;
  readonly sealedSecret: Buffer;
  readonly previousSecrets: readonly PreviousSecret[];
}

/** Claims of deliveries. A claim that is not ended expires, and the delivery is due again. */
@Injectable()
export class ClaimsRepository {
  constructor(private readonly database: Database) {}

  async waiting(): Promise<readonly WaitingEndpoint[]> {
    return this.database.query<WaitingEndpoint>(WAITING);
  }

  /** @param rooms maximum deliveries for each endpoint */
  async claim(rooms: ReadonlyMap<string, number>, leaseMs: number): Promise<ClaimedRow[]> {
    const rows = await this.database.query<Row>(CLAIM, [[...rooms.keys()], [...rooms.values()], leaseMs]);
    return rows.map((row) => ({
      id: row.id,
      claim: row.claim,
      step: row.step,
      traceparent: row.traceparent,
      event: {
        id: row.eventId,
        type: row.eventType,
        createdAt: row.eventCreatedAt,
        livemode: livemodeOf(row.accountId),
        data: row.eventData,
      },
      destination: {
        endpointId: row.endpointId,
        url: row.url,
        endpointUrl: row.endpointUrl,
        isCallback: row.isCallback,
        sealedSecret: row.sealedSecret,
        previousSecrets: row.previousSecrets,
      },
    }));
  }

  async release(rows: readonly Pick<ClaimedRow, 'id' | 'claim'>[]): Promise<void> {
    await this.database.query(RELEASE, [rows.map(({ id }) => id), rows.map(({ claim }) => claim)]);
  }
}
