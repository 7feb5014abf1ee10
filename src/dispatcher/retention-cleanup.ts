import { Inject, Injectable } from '@nestjs/common';
import { auditEvents } from '../audit/audit-events.repository.js';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { IDEMPOTENCY_TTL_HOURS } from '../idempotency/idempotency.service.js';
import { Database, type Prepared } from '../infra/database/database.js';
import { ObjectStore } from '../infra/storage/object-store.js';

const PERIOD_MS = 60_000;
/** No upload lasts this long: the idle timeout ends it far earlier. */
const TEMPORARY_MAX_AGE_MS = 3_600_000;

const SHORT_LIVED_BATCH = 5_000;

const OLD_IDEMPOTENCY_KEYS: Prepared = {
  name: 'keep_idempotency_keys',
  text: `DELETE FROM idempotency_keys WHERE (account_id, key) IN (
           SELECT account_id, key FROM idempotency_keys
            WHERE created_at < now() - interval '${IDEMPOTENCY_TTL_HOURS} hours'
            ORDER BY created_at LIMIT ${SHORT_LIVED_BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING 1 AS one`,
};

const OLD_RATE_LIMITS: Prepared = {
  name: 'keep_rate_limits',
  text: `DELETE FROM rate_limits WHERE bucket IN (
           SELECT bucket FROM rate_limits WHERE window_index < floor(extract(epoch FROM now()) / 60) - 2
            LIMIT ${SHORT_LIVED_BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING 1 AS one`,
};

/** The guard has looked past them since; one that is only idle for too long ends at its whole time. */
const OLD_SESSIONS: Prepared = {
  name: 'keep_sessions',
  text: `DELETE FROM sessions WHERE token_hash IN (
           SELECT token_hash FROM sessions WHERE expires_at < now()
            ORDER BY expires_at LIMIT ${SHORT_LIVED_BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING 1 AS one`,
};

/** The dashboard shows 92 days; the rest serves whoever queries the database. */
const USAGE_DAYS = 400;

const oldDays = (table: string): Prepared => ({
  name: `keep_${table}`,
  text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE day < current_date - ${USAGE_DAYS}
            ORDER BY day LIMIT ${SHORT_LIVED_BATCH} FOR UPDATE SKIP LOCKED))
         RETURNING 1 AS one`,
});

const EVENT_MAX_AGE_DAYS = 30;
const EVENT_BATCH = 1_000;
const AUDIT_BATCH = 1_000;
/** Each takes its attempts along. */
const DELIVERY_BATCH = 500;
/** Batches of one round; what is left waits for the next. */
const BATCHES = 40;

/** Whatever became of them. Ids begin with their time, so the oldest stand first. */
const OLD_DELIVERIES: Prepared = {
  name: 'keep_deliveries',
  text: `DELETE FROM webhook_deliveries
          WHERE id IN (SELECT id FROM webhook_deliveries ORDER BY id LIMIT ${DELIVERY_BATCH} FOR UPDATE SKIP LOCKED)
            AND created_at < now() - interval '${EVENT_MAX_AGE_DAYS} days'
         RETURNING id`,
};

/** Dispatched or not: by now nobody waits for them. Ids begin with their time, so the oldest stand first. */
const OLD_EVENTS: Prepared = {
  name: 'keep_events',
  text: `DELETE FROM events
          WHERE id IN (SELECT id FROM events ORDER BY id LIMIT ${EVENT_BATCH} FOR UPDATE SKIP LOCKED)
            AND created_at < now() - interval '${EVENT_MAX_AGE_DAYS} days'
         RETURNING id`,
};

/**
 * Whoever disables an endpoint ends what waits for it. What is in hand at that moment ends with its attempt,
 * unless its dispatcher dies or gives it back, or writes down in the same moment when to try again: then it
 * ends here. Waits for no lock, and holds the endpoint, so that it is not enabled again meanwhile.
 */
const WAITING_FOR_DISABLED: Prepared = {
  name: 'keep_waiting_for_disabled',
  text: `UPDATE webhook_deliveries SET status = 'failed', claimed = false, next_attempt_at = NULL, due_at = NULL
          WHERE id IN (SELECT d.id FROM webhook_endpoints w
                         JOIN webhook_deliveries d ON d.endpoint_id = w.id AND d.status = 'pending'
                        WHERE NOT w.enabled AND (NOT d.claimed OR d.due_at <= now())
                          FOR SHARE OF w SKIP LOCKED FOR NO KEY UPDATE OF d SKIP LOCKED)`,
};

const SHORT_LIVED = [
  OLD_IDEMPOTENCY_KEYS,
  OLD_RATE_LIMITS,
  OLD_SESSIONS,
  oldDays('enhancement_days'),
  oldDays('storage_days'),
];

/** Ends obsolete work and deletes expired rows, at most once a minute. */
@Injectable()
export class RetentionCleanup {
  private lastMs = 0;

  constructor(
    private readonly database: Database,
    private readonly store: ObjectStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async keep(): Promise<void> {
    if (Date.now() - this.lastMs < PERIOD_MS) return;
    this.lastMs = Date.now();
    for (const statement of SHORT_LIVED) await this.deleteAll(statement, SHORT_LIVED_BATCH);
    await this.database.query(WAITING_FOR_DISABLED);
    // Events take their deliveries along: few enough at a time only when the old ones are gone before.
    const isDone = await this.deleteAll(OLD_DELIVERIES, DELIVERY_BATCH);
    if (isDone) await this.deleteAll(OLD_EVENTS, EVENT_BATCH);
    await this.pruneAudit();
    await this.store.sweepTemporary(TEMPORARY_MAX_AGE_MS);
  }

  private async pruneAudit(): Promise<void> {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const deleted = await auditEvents.prune(this.database, this.config.retentionAuditDays, AUDIT_BATCH);
      if (deleted < AUDIT_BATCH) return;
    }
  }

  /** Batch by batch; false when there is more than one round deletes. */
  private async deleteAll(statement: Prepared, batchSize: number): Promise<boolean> {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      if ((await this.database.query(statement)).length < batchSize) return true;
    }
    return false;
  }
}
