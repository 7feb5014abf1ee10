import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { insertEndpointNotices } from '../../mail/notices/endpoint-notice.sql.js';
import { failPending } from '../deliveries/delivery-rows.sql.js';
import type { DisabledReason } from '../endpoints/endpoint.entity.js';
import type { EndpointOutcome } from './endpoint-outcome.js';
import type { SettledAttempt } from './settlement.js';

/**
 * Only the holder of the claim writes. A disabled endpoint gets no further attempt. Skips locked rows: those
 * are being deleted.
 */
const RECORD: Prepared = {
  name: 'results_record',
  text: `
    WITH given AS (
      SELECT * FROM jsonb_to_recordset($1::jsonb) AS g (
        id text, claim int, status text, step int, next_in_ms float8, started_at timestamptz, duration_ms int,
        response_status int, response_body text, error text)),
    held AS (
      SELECT d.id FROM webhook_deliveries d JOIN given g ON g.id = d.id AND g.claim = d.claims
       WHERE d.claimed FOR NO KEY UPDATE OF d SKIP LOCKED),
    ended AS (
      UPDATE webhook_deliveries d
         SET status = CASE WHEN w.enabled OR g.status <> 'pending' THEN g.status ELSE 'failed' END,
             step = g.step, claimed = false, attempt_count = d.attempt_count + 1,
             next_attempt_at = CASE WHEN w.enabled AND g.status = 'pending'
                                    THEN now() + g.next_in_ms * interval '1 millisecond' END,
             due_at = CASE WHEN w.enabled AND g.status = 'pending'
                           THEN now() + g.next_in_ms * interval '1 millisecond' END,
             delivered_at = CASE WHEN g.status = 'succeeded' THEN now() END
        FROM held, given g, webhook_endpoints w
       WHERE d.id = held.id AND g.id = held.id AND w.id = d.endpoint_id
      RETURNING d.id, d.attempt_count, w.first_failure_at IS NOT NULL AS is_failing),
    attempts AS (
      INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, response_body, error)
      SELECT ended.id, ended.attempt_count, g.started_at, g.duration_ms, g.response_status, g.response_body, g.error
        FROM ended JOIN given g ON g.id = ended.id)
    SELECT id, is_failing AS "isFailing" FROM ended`,
};

/** Updates endpoints from their attempts. Attempts at an old URL do not count. */
const judge = (locking: '' | 'SKIP LOCKED'): string => `
    WITH given AS (
      SELECT * FROM jsonb_to_recordset($1::jsonb) AS g (
        endpoint_id text, url text, succeeded boolean, first_failure_at timestamptz, last_failure_at timestamptz,
        is_gone boolean, pause_in_ms float8)),
    judged AS (
      SELECT w.id, g.*, CASE WHEN NOT g.succeeded THEN coalesce(w.first_failure_at, g.first_failure_at) END AS since
        FROM webhook_endpoints w JOIN given g ON g.endpoint_id = w.id AND g.url = w.url
       WHERE w.enabled FOR NO KEY UPDATE OF w ${locking}),
    sentence AS (
      SELECT id, since, last_failure_at, pause_in_ms,
             CASE WHEN is_gone THEN 'gone'
                  WHEN last_failure_at - since >= $2 * interval '1 millisecond' THEN 'failing' END AS reason
        FROM judged),
    ended AS (
      ${failPending('SELECT id FROM sentence WHERE reason IS NOT NULL')}),
    changed AS (
    UPDATE webhook_endpoints w
       SET first_failure_at = s.since, last_failure_at = coalesce(s.last_failure_at, w.last_failure_at),
           enabled = s.reason IS NULL, disabled_reason = s.reason,
           paused_until = CASE WHEN s.pause_in_ms IS NULL THEN w.paused_until
                               ELSE now() + s.pause_in_ms * interval '1 millisecond' END
      FROM sentence s WHERE w.id = s.id
    RETURNING w.id, w.account_id, w.url, w.callback, w.disabled_reason),
    audited AS (
      INSERT INTO audit_events (account_id, action, actor_kind, target_id, details)
      SELECT account_id, 'endpoint.disabled', 'system', id, jsonb_build_object('reason', disabled_reason)
        FROM changed WHERE disabled_reason IS NOT NULL),
    told AS (${insertEndpointNotices(`(
        SELECT id, account_id, url, disabled_reason AS reason FROM changed
         WHERE disabled_reason IS NOT NULL AND NOT callback) AS disabled`)})
    SELECT id, disabled_reason AS "disabledReason" FROM changed`;

/** For many endpoints at once: skips locked rows, because a holder of locks must not wait for more. */
const JUDGE: Prepared = { name: 'results_judge', text: judge('SKIP LOCKED') };
/** For one endpoint: no lock is held, so waiting is safe. */
const JUDGE_ONE: Prepared = { name: 'results_judge_one', text: judge('') };

export interface JudgedEndpoint {
  readonly id: string;
  /** Not null: the endpoint was disabled by this outcome. */
  readonly disabledReason: DisabledReason | null;
}

/** Stores outcomes of attempts. Each statement is independent. */
@Injectable()
export class ResultsRepository {
  constructor(private readonly database: Database) {}

  /**
   * @returns the ids of the stored deliveries, and whether the latest attempts at their endpoint had failed, so that a
   * success changes its state; the other deliveries were claimed by another dispatcher or deleted
   */
  async record(settled: readonly SettledAttempt[]): Promise<Map<string, boolean>> {
    const given = settled.map(({ attempt, settlement }) => ({
      id: attempt.row.id,
      claim: attempt.row.claim,
      status: settlement.status,
      step: settlement.step,
      next_in_ms: settlement.nextInMs,
      started_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      response_status: attempt.outcome.answer?.status ?? null,
      response_body: attempt.outcome.answer?.body ?? null,
      error: attempt.outcome.error,
    }));
    const rows = await this.database.query<{ id: string; isFailing: boolean }>(RECORD, [
      JSON.stringify(given),
    ]);
    return new Map(rows.map(({ id, isFailing }) => [id, isFailing]));
  }

  /**
   * Applies outcomes to endpoints, and fails pending deliveries of those that get disabled, up to `MAX_FAILED`.
   * @param disableAfterMs an endpoint with nothing but failures for this long is disabled
   */
  async judge(outcomes: readonly EndpointOutcome[], disableAfterMs: number): Promise<JudgedEndpoint[]> {
    if (outcomes.length === 0) return [];
    const judged = await this.judgeBy(JUDGE, outcomes, disableAfterMs);
    const done = new Set(judged.map(({ id }) => id));
    for (const outcome of outcomes) {
      if (!done.has(outcome.endpointId))
        judged.push(...(await this.judgeBy(JUDGE_ONE, [outcome], disableAfterMs)));
    }
    return judged;
  }

  private judgeBy(
    statement: Prepared,
    outcomes: readonly EndpointOutcome[],
    disableAfterMs: number,
  ): Promise<JudgedEndpoint[]> {
    const given = outcomes.map((outcome) => ({
      endpoint_id: outcome.endpointId,
      url: outcome.url,
      succeeded: outcome.succeeded,
      first_failure_at: outcome.firstFailureAt,
      last_failure_at: outcome.lastFailureAt,
      is_gone: outcome.isGone,
      pause_in_ms: outcome.pauseInMs,
    }));
    return this.database.query<JudgedEndpoint>(statement, [JSON.stringify(given), disableAfterMs]);
  }
}
