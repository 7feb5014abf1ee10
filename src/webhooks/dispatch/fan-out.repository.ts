import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Prepared } from '../../infra/database/database.js';
import { CHOSEN, NEW_DELIVERY_COLUMNS, newDeliveryValues } from '../deliveries/delivery-rows.sql.js';
import { HOST_OF_ACCOUNT, type ReadyEndpoint } from './pending-endpoints.sql.js';

/**
 * Turns events into deliveries and marks them in one statement. Two dispatchers take different events; a
 * unique index prevents duplicates. Skips locked endpoints: those are being deleted. A callback is a delivery to the
 * host of its URL.
 */
const FAN_OUT: Prepared = {
  name: 'fan_out',
  text: `
    WITH batch AS (
      SELECT id, account_id, type, traceparent, callback_url FROM events WHERE dispatched_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED),
    chosen AS (
      SELECT ${newDeliveryValues(`now() + $2 * interval '1 millisecond'`)}
        FROM batch e JOIN webhook_endpoints w ON w.account_id = e.account_id AND w.enabled AND ${CHOSEN}
         FOR KEY SHARE OF w SKIP LOCKED),
    called AS (
      SELECT ${newDeliveryValues(`now() + $2 * interval '1 millisecond'`, 'e.callback_url')}
        FROM batch e JOIN webhook_endpoints w ON w.account_id = e.account_id AND w.callback AND w.enabled
         AND w.url = substring(e.callback_url FROM '^[a-z]+://[^/?#]+')
         FOR KEY SHARE OF w SKIP LOCKED),
    made AS (
      INSERT INTO webhook_deliveries (${NEW_DELIVERY_COLUMNS}) SELECT * FROM chosen UNION ALL SELECT * FROM called
      ON CONFLICT (event_id, endpoint_id) DO NOTHING RETURNING endpoint_id),
    done AS (
      UPDATE events SET dispatched_at = now() WHERE id IN (SELECT id FROM batch))
    SELECT (SELECT count(*) FROM batch)::int AS events,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('endpointId', w.id, 'host', ${HOST_OF_ACCOUNT})), '[]')
              FROM webhook_endpoints w WHERE w.id IN (SELECT endpoint_id FROM made)) AS endpoints,
           ARRAY(SELECT DISTINCT traceparent FROM batch WHERE traceparent IS NOT NULL) AS traceparents`,
};

export interface FannedOut {
  /** Processed events. */
  readonly events: number;
  /** Endpoints with new deliveries. */
  readonly endpoints: readonly ReadyEndpoint[];
  /** The traces of the events. */
  readonly traceparents: readonly string[];
}

@Injectable()
export class FanOutRepository {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Turns at most `limit` events, oldest first, into one delivery for each endpoint that selected them. */
  async fanOut(limit: number): Promise<FannedOut> {
    const firstDelayMs = this.config.webhookRetryDelaysMs[0] ?? 0;
    const [row] = await this.database.query<FannedOut>(FAN_OUT, [limit, firstDelayMs]);
    return row!;
  }
}
