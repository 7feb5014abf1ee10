import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { ANY_EVENT_TYPES } from '../../webhooks/events/event-types.js';
import type { DisabledReason } from '../../webhooks/endpoints/endpoint.entity.js';

/** An endpoint whose last attempt failed. */
export interface FailingEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  /** The name of an organization, or the address of a user's account. */
  readonly accountName: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly failingSince: Date;
  readonly lastFailureAt: Date | null;
  /** At most `MAX_PENDING`. */
  readonly pending: number;
  readonly attemptAt: Date | null;
  readonly responseStatus: number | null;
  readonly error: string | null;
  /** Microseconds since 1970, as text. */
  readonly position: string;
}

export interface EndpointPosition {
  readonly microseconds: string;
  readonly id: string;
}

export const MAX_PENDING = 1_000;

/** One range of the index for each status and type. */
const NEWEST_UNDELIVERED = ['pending', 'failed']
  .flatMap((status) =>
    ANY_EVENT_TYPES.map(
      (type) => `(SELECT id FROM webhook_deliveries WHERE endpoint_id = w.id AND status = '${status}'
                    AND event_type = '${type}' ORDER BY id COLLATE "C" DESC LIMIT 1)`,
    ),
  )
  .join(' UNION ALL ');

/** The latest attempt of the newest undelivered deliveries. */
const LAST_ATTEMPT = `SELECT t.started_at, t.response_status, t.error
  FROM (${NEWEST_UNDELIVERED}) d JOIN webhook_attempts t ON t.delivery_id = d.id
 ORDER BY t.started_at DESC LIMIT 1`;

/** `$1`, `$2`: position before the page; `$3`: page size; `$4`: only enabled or only disabled endpoints. */
const LIST: Prepared = {
  name: 'console_failing_endpoints',
  text: `
    WITH page AS (
      SELECT * FROM webhook_endpoints
       WHERE first_failure_at IS NOT NULL AND NOT callback
         AND (first_failure_at, id COLLATE "C") < (timestamptz 'epoch' + $1::bigint * interval '1 microsecond', $2)
         AND ($4::boolean IS NULL OR enabled = $4)
       ORDER BY first_failure_at DESC, id COLLATE "C" DESC LIMIT $3)
    SELECT w.id, w.account_id AS "accountId", a.email, coalesce(a.name, a.email) AS "accountName",
           w.url, w.enabled, w.disabled_reason AS "disabledReason",
           w.first_failure_at AS "failingSince", w.last_failure_at AS "lastFailureAt",
           (SELECT count(*)::int FROM (SELECT 1 FROM webhook_deliveries d
              WHERE d.endpoint_id = w.id AND d.status = 'pending' LIMIT ${MAX_PENDING}) waiting) AS pending,
           last.started_at AS "attemptAt", last.response_status AS "responseStatus", last.error,
           (extract(epoch FROM w.first_failure_at) * 1000000)::bigint::text AS position
      FROM page w
      JOIN accounts a ON a.id = regexp_replace(w.account_id, '^test_', 'acc_')
      LEFT JOIN LATERAL (${LAST_ATTEMPT}) last ON true
     ORDER BY w.first_failure_at DESC, w.id COLLATE "C" DESC`,
};

const ACCOUNT: Prepared = {
  name: 'console_endpoint_account',
  text: 'SELECT account_id AS "accountId" FROM webhook_endpoints WHERE id = $1 AND NOT callback',
};

/** A position after every endpoint, far from the end of PostgreSQL's calendar. */
const FIRST: EndpointPosition = { microseconds: '9000000000000000', id: '~' };

/** Endpoints of all accounts whose deliveries fail. Only for operators. */
@Injectable()
export class FailingEndpointsRepository {
  constructor(private readonly database: Database) {}

  /** Lists endpoints. Those that began to fail most recently come first. */
  list(
    isEnabled: boolean | undefined,
    after: EndpointPosition | undefined,
    limit: number,
  ): Promise<FailingEndpoint[]> {
    const { microseconds, id } = after ?? FIRST;
    const values = [microseconds, id, limit, isEnabled ?? null];
    return this.database.query<FailingEndpoint>(LIST, values);
  }

  /** The account of an endpoint; undefined for an unknown one. */
  async accountOf(endpointId: string): Promise<string | undefined> {
    return (await this.database.query<{ accountId: string }>(ACCOUNT, [endpointId]))[0]?.accountId;
  }
}
