import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import type { WebhookBacklog } from '../../infra/telemetry/dispatcher/webhook-metrics.js';
import { FIRST_PENDING, PENDING_ENDPOINTS } from './pending-endpoints.sql.js';

/** Higher counts are reported as this: the figure is for alerts and must stay cheap when the backlog is large. */
const MAX_COUNTED = 100_000;

/**
 * Reads the partial indexes of pending rows, at most `MAX_COUNTED` entries of each. An endpoint that fails, or that
 * asked for a pause, delays its deliveries itself, so only the other endpoints tell whether the dispatchers are late.
 */
const BACKLOG: Prepared = {
  name: 'webhook_backlog',
  text: `
    WITH RECURSIVE ${PENDING_ENDPOINTS},
    waiting AS MATERIALIZED (
      SELECT d.due_at FROM webhook_deliveries d WHERE d.status = 'pending' LIMIT ${MAX_COUNTED}),
    late AS (
      SELECT max(extract(epoch FROM now() - greatest(first.due_at, w.paused_until, w.last_failure_at))) AS seconds
        FROM hop JOIN webhook_endpoints w ON w.id = hop.endpoint_id AND w.enabled AND w.first_failure_at IS NULL
       CROSS JOIN ${FIRST_PENDING})
    SELECT (SELECT count(*) FROM (
              SELECT FROM events WHERE dispatched_at IS NULL LIMIT ${MAX_COUNTED}) e)::float8 AS events,
           count(*)::float8 AS pending,
           count(*) FILTER (WHERE due_at <= now())::float8 AS due,
           coalesce(greatest(0, (SELECT seconds FROM late)), 0)::float8 AS "oldestDueSeconds"
      FROM waiting`,
};

/** The number of pending events and deliveries, for metrics. */
@Injectable()
export class BacklogRepository {
  constructor(private readonly database: Database) {}

  async read(): Promise<WebhookBacklog> {
    const [row] = await this.database.query<WebhookBacklog>(BACKLOG);
    return row!;
  }
}
