import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { WINDOW_MS } from '../../kernel/rate-limit.js';

const DAY = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

/** From the ledger, which remembers what was deleted since; what was given back does not count. */
const ENHANCEMENTS: Prepared = {
  name: 'usage_history_enhancements',
  text: `SELECT ${DAY('r.created_at')} AS day, r.key_id AS "keyId", count(*)::int AS count
           FROM quota_ledger r
          WHERE r.account_id = $1 AND r.kind = 'reserve' AND r.created_at >= $2
            AND r.period >= to_char($2::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM')
            AND NOT EXISTS (SELECT 1 FROM quota_ledger f WHERE f.job_id = r.job_id AND f.kind = 'refund')
          GROUP BY 1, 2`,
};

/** Bytes that came and went, day by day. */
const STORAGE: Prepared = {
  name: 'usage_history_storage',
  text: `SELECT ${DAY('at')} AS day, sum(bytes)::float8 AS bytes FROM (
           SELECT created_at AS at, bytes FROM sources WHERE account_id = $1 AND created_at >= $2
           UNION ALL SELECT deleted_at, -bytes FROM sources WHERE account_id = $1 AND deleted_at >= $2
           UNION ALL SELECT completed_at, result_bytes FROM jobs
             WHERE account_id = $1 AND result_key IS NOT NULL AND completed_at >= $2
           UNION ALL SELECT result_erased_at, -result_bytes FROM jobs
             WHERE account_id = $1 AND result_key IS NOT NULL AND result_erased_at >= $2) moved
          GROUP BY 1`,
};

/** Each active key's window as it stands now; reading takes nothing out of it. */
const WINDOWS: Prepared = {
  name: 'usage_rate_windows',
  text: `SELECT k.id AS "keyId", k.name, t.ms AS "nowMs",
                CASE WHEN r.window_index >= t.idx THEN r.current_count ELSE 0 END AS "currentCount",
                CASE WHEN r.window_index >= t.idx THEN r.previous_count
                     WHEN r.window_index = t.idx - 1 THEN r.current_count ELSE 0 END AS "previousCount"
           FROM api_keys k LEFT JOIN rate_limits r ON r.bucket = k.id,
                (SELECT ms, floor(ms / ${WINDOW_MS})::bigint AS idx
                   FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms) clock) t
          WHERE k.account_id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
          ORDER BY k.id DESC`,
};

export interface KeyWindow {
  readonly keyId: string;
  readonly name: string;
  readonly nowMs: number;
  readonly currentCount: number;
  readonly previousCount: number;
}

@Injectable()
export class UsageHistoryRepository {
  constructor(private readonly database: Database) {}

  /** Per day (UTC, `YYYY-MM-DD`) and key; days and keys without any are missing. */
  enhancements(
    accountId: string,
    since: Date,
  ): Promise<{ day: string; keyId: string | null; count: number }[]> {
    return this.database.query(ENHANCEMENTS, [accountId, since]);
  }

  /** By how many bytes the storage grew or shrank on each day that it did. */
  storageChanges(accountId: string, since: Date): Promise<{ day: string; bytes: number }[]> {
    return this.database.query(STORAGE, [accountId, since]);
  }

  windows(accountId: string): Promise<KeyWindow[]> {
    return this.database.query<KeyWindow & Record<string, unknown>>(WINDOWS, [accountId]);
  }
}
