import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../infra/database/database.js';
import { decisionOf, type RateLimitDecision, WINDOW_MS } from '../kernel/rate-limit.js';

/**
 * One statement, so that any number of API processes count together: moves the window on when its time
 * has come, counts the request if there is room, and tells the counts in either case. The clock is the
 * database's, hence the same for everyone.
 */
const TAKE: Prepared = {
  name: 'rate_limit_take',
  text: `INSERT INTO rate_limits AS r (bucket, window_index, current_count, previous_count, allowed)
         SELECT $1, floor(t.ms / ${WINDOW_MS}), CASE WHEN $2 >= 1 THEN 1 ELSE 0 END, 0, $2 >= 1
           FROM (SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms) t
         ON CONFLICT (bucket) DO UPDATE SET (window_index, current_count, previous_count, allowed) = (
           SELECT w.idx, w.cur + CASE WHEN w.ok THEN 1 ELSE 0 END, w.prev, w.ok
             FROM (SELECT v.idx, v.cur, v.prev, v.cur + v.prev * (1 - v.elapsed) + 1 <= $2 AS ok
                     FROM (SELECT greatest(t.idx, r.window_index) AS idx,
                                  CASE WHEN r.window_index >= t.idx THEN r.current_count ELSE 0 END AS cur,
                                  CASE WHEN r.window_index >= t.idx THEN r.previous_count
                                       WHEN r.window_index = t.idx - 1 THEN r.current_count ELSE 0 END AS prev,
                                  t.elapsed
                             FROM (SELECT floor(ms / ${WINDOW_MS})::bigint AS idx,
                                          ms / ${WINDOW_MS} - floor(ms / ${WINDOW_MS}) AS elapsed
                                     FROM (SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms) c) t) v) w)
         RETURNING current_count, previous_count, allowed,
                   (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms`,
};

interface TakeRow {
  current_count: number;
  previous_count: number;
  allowed: boolean;
  now_ms: number;
}

@Injectable()
export class RateLimitRepository {
  constructor(private readonly database: Database) {}

  /** Takes one request out of a bucket of `limit` a minute. Refused requests are not counted. */
  async take(bucket: string, limit: number): Promise<RateLimitDecision> {
    const [row] = await this.database.query<TakeRow & Record<string, unknown>>(TAKE, [bucket, limit]);
    return decisionOf(
      {
        nowMs: row!.now_ms,
        currentCount: row!.current_count,
        previousCount: row!.previous_count,
        allowed: row!.allowed,
      },
      limit,
    );
  }
}
