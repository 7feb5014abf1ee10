import { Inject, Injectable } from '@nestjs/common';
import { auditEvents } from '../audit/audit-events.repository.js';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { Database, type Prepared } from '../infra/database/database.js';
import { ObjectStore } from '../infra/storage/object-store.js';
import { SKIPPED } from '../infra/telemetry/sweep-metrics.js';
import { runIsolated } from './isolated-steps.js';
import { ABANDONED_COPIES } from './retention/abandoned-copies.sql.js';
import { EXPIRED_DIRECT_UPLOADS } from './retention/direct-uploads.sql.js';
import {
  OLD_COMPARISONS,
  OLD_EMAIL_CHANGES,
  OLD_EMAIL_VERIFICATIONS,
  OLD_ENHANCEMENT_DAYS,
  OLD_IDEMPOTENCY_KEYS,
  OLD_IMPERSONATION_LINKS,
  OLD_INVITATIONS,
  OLD_OPERATION_DAYS,
  OLD_MAIL_LIMITS,
  OLD_MAILS,
  OLD_NOTICES,
  OLD_PASSWORD_RESETS,
  OLD_OIDC_LINKS,
  OLD_OIDC_REQUESTS,
  OLD_PASSKEY_CHALLENGES,
  OLD_PENDING_SIGN_INS,
  OLD_PLAN_REQUESTS,
  OLD_RATE_LIMITS,
  OLD_SESSIONS,
  OLD_SHARE_LINKS,
  OLD_STORAGE_DAYS,
  SHORT_LIVED_BATCH,
} from './retention/short-lived.sql.js';

const PERIOD_MS = 60_000;
/** Longer than any upload of a client, because the idle timeout ends uploads far earlier. */
const TEMPORARY_MAX_AGE_MS = 3_600_000;

const AUDIT_BATCH = 1_000;
const WAITING_BATCH = 1_000;
/** Maximum batches per pass. The rest waits for the next pass. */
const BATCHES = 200;

/**
 * Ends the pending deliveries of disabled endpoints. A delivery in progress ends with its attempt. If its dispatcher
 * dies, releases it, or schedules a retry at the same moment, it ends here. Waits for no lock, and locks the endpoint
 * so that it is not enabled in the meantime. In the order of an index: with LIMIT alone, PostgreSQL would scan all
 * deliveries. As an array, because a join may run the query several times, and each time it would find other rows.
 */
const WAITING_FOR_DISABLED: Prepared = {
  name: 'keep_waiting_for_disabled',
  text: `UPDATE webhook_deliveries SET status = 'failed', claimed = false, next_attempt_at = NULL, due_at = NULL
          WHERE id = ANY (ARRAY(SELECT d.id FROM webhook_endpoints w
                                 CROSS JOIN LATERAL (
                                   SELECT id FROM webhook_deliveries
                                    WHERE endpoint_id = w.id AND status = 'pending'
                                      AND (NOT claimed OR due_at <= now())
                                    ORDER BY due_at LIMIT ${WAITING_BATCH} FOR NO KEY UPDATE SKIP LOCKED) d
                                 WHERE NOT w.enabled LIMIT ${WAITING_BATCH} FOR SHARE OF w SKIP LOCKED))
         RETURNING 1 AS one`,
};

/** Ends expired impersonations, which requests already ignore. A trigger records the end. */
const OVER_IMPERSONATIONS: Prepared = {
  name: 'keep_over_impersonations',
  text: `UPDATE sessions SET impersonated_account_id = NULL
          WHERE impersonated_account_id IS NOT NULL AND impersonation_expires_at <= now()`,
};

/** Deletes callback hosts whose callbacks were all deleted by retention, after longer than any job waits. */
const UNUSED_CALLBACK_HOSTS: Prepared = {
  name: 'keep_unused_callback_hosts',
  text: `DELETE FROM webhook_endpoints w
          WHERE w.callback AND w.url <> '' AND w.updated_at < now() - interval '90 days'
            AND (SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = w.id LIMIT 1) IS NULL`,
};

/** Ends obsolete work and deletes expired rows, at most once a minute. */
@Injectable()
export class RetentionCleanup {
  /** Monotonic milliseconds: setting the clock back must not stop the cleanup. */
  private lastMs = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly store: ObjectStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Runs a round when due. A failed round is due again after a minute.
   * @returns SKIPPED when it is not due
   * @throws the error of the step that failed, or an AggregateError of several, after the other steps
   */
  async keep(): Promise<typeof SKIPPED | undefined> {
    if (performance.now() - this.lastMs < PERIOD_MS) return SKIPPED;
    this.lastMs = performance.now();
    const { retentionIdempotencyHours, retentionMailDays, retentionUsageDays } = this.config;
    await runIsolated([
      () => this.deleteAll(OLD_IDEMPOTENCY_KEYS, [retentionIdempotencyHours]),
      () => this.deleteAll(OLD_RATE_LIMITS),
      () => this.deleteAll(EXPIRED_DIRECT_UPLOADS, [retentionIdempotencyHours]),
      () => this.deleteAll(ABANDONED_COPIES),
      () => this.deleteAll(OLD_SESSIONS),
      () => this.deleteAll(OLD_INVITATIONS),
      () => this.deleteAll(OLD_PLAN_REQUESTS),
      () => this.deleteAll(OLD_SHARE_LINKS),
      () => this.deleteAll(OLD_IMPERSONATION_LINKS),
      () => this.deleteAll(OLD_PASSWORD_RESETS),
      () => this.deleteAll(OLD_EMAIL_VERIFICATIONS),
      () => this.deleteAll(OLD_EMAIL_CHANGES),
      () => this.deleteAll(OLD_MAILS, [retentionMailDays]),
      () => this.deleteAll(OLD_MAIL_LIMITS),
      () => this.deleteAll(OLD_PENDING_SIGN_INS),
      () => this.deleteAll(OLD_PASSKEY_CHALLENGES),
      () => this.deleteAll(OLD_OIDC_REQUESTS),
      () => this.deleteAll(OLD_OIDC_LINKS),
      () => this.deleteAll(OLD_NOTICES),
      () => this.deleteAll(OLD_COMPARISONS),
      () => this.deleteAll(OLD_ENHANCEMENT_DAYS, [retentionUsageDays]),
      () => this.deleteAll(OLD_OPERATION_DAYS, [retentionUsageDays]),
      () => this.deleteAll(OLD_STORAGE_DAYS, [retentionUsageDays]),
      () => this.failWaiting(),
      () => this.database.query(UNUSED_CALLBACK_HOSTS),
      () => this.database.query(OVER_IMPERSONATIONS),
      () => this.pruneAudit(),
      () => this.store.sweepTemporary(TEMPORARY_MAX_AGE_MS),
    ]);
    return undefined;
  }

  private async failWaiting(): Promise<void> {
    for (let batch = 0; batch < BATCHES; batch += 1)
      if ((await this.database.query(WAITING_FOR_DISABLED)).length < WAITING_BATCH) return;
  }

  private async pruneAudit(): Promise<void> {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const deleted = await auditEvents.prune(this.database, this.config.retentionAuditDays, AUDIT_BATCH);
      if (deleted < AUDIT_BATCH) return;
    }
  }

  private async deleteAll(statement: Prepared, values: readonly unknown[] = []): Promise<void> {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const [row] = await this.database.query<{ deleted: number }>(statement, [...values]);
      if (row!.deleted < SHORT_LIVED_BATCH) return;
    }
  }
}
