import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { WINDOW_MS } from '../../kernel/rate-limit.js';

/** Omits days on which every enhancement was refunded. */
const ENHANCEMENTS: Prepared = {
  name: 'usage_history_enhancements',
  text: `SELECT to_char(day, 'YYYY-MM-DD') AS day, nullif(key_id, '') AS "keyId", count
           FROM enhancement_days WHERE account_id = $1 AND day >= $2::date AND count <> 0`,
};

const STORAGE: Prepared = {
  name: 'usage_history_storage',
  text: `SELECT to_char(day, 'YYYY-MM-DD') AS day, bytes::float8 AS bytes
           FROM storage_days WHERE account_id = $1 AND day >= $2::date`,
};

/** As in `takeSql`. */
const IS_CURRENT = 'r.window_index IN (t.idx, t.idx + 1)';

/** The current rate-limit window of each active key. Reading does not consume requests. */
const WINDOWS: Prepared = {
  name: 'usage_rate_windows',
  text: `SELECT k.id AS "keyId", k.name, k.livemode, t.ms AS "nowMs",
                CASE WHEN ${IS_CURRENT} THEN r.current_count ELSE 0 END AS "currentCount",
                CASE WHEN ${IS_CURRENT} THEN r.previous_count
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
  /** False for a test key, which has a rate limit of its own. */
  readonly livemode: boolean;
  readonly nowMs: number;
  readonly currentCount: number;
  readonly previousCount: number;
}

@Injectable()
export class UsageHistoryRepository {
  constructor(private readonly database: Database) {}

  /**
   * By day (UTC, `YYYY-MM-DD`) and key; days and keys without usage are missing. Refunds count on the day of the job.
   * @param since the first day, `YYYY-MM-DD`
   */
  enhancements(
    accountId: string,
    since: string,
  ): Promise<{ day: string; keyId: string | null; count: number }[]> {
    return this.database.lists.query(ENHANCEMENTS, [accountId, since]);
  }

  /** The change in stored bytes on each day, omitting days without one. */
  storageChanges(accountId: string, since: string): Promise<{ day: string; bytes: number }[]> {
    return this.database.lists.query(STORAGE, [accountId, since]);
  }

  windows(accountId: string): Promise<KeyWindow[]> {
    return this.database.query<KeyWindow>(WINDOWS, [accountId]);
  }
}
