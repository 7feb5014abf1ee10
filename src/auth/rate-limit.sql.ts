import { WINDOW_MS } from '../kernel/rate-limit.js';

/**
 * The statement that takes one request out of a bucket, so that any number of API processes count
 * together: moves the window on when its time has come, counts the request if there is room, and tells the
 * counts in either case. The clock is the database's, hence the same for everyone.
 * @param asker SQL of a query with the columns `bucket` (text) and `ceiling` (requests a minute), at most one row
 */
export function takeSql(asker: string): string {
  const now = `(SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms)`;
  return `
    INSERT INTO rate_limits AS r (bucket, window_index, current_count, previous_count, allowed)
    SELECT a.bucket, floor(t.ms / ${WINDOW_MS}), CASE WHEN a.ceiling >= 1 THEN 1 ELSE 0 END, 0, a.ceiling >= 1
      FROM (${asker}) a, ${now} t
    ON CONFLICT (bucket) DO UPDATE SET (window_index, current_count, previous_count, allowed) = (
      SELECT w.idx, w.cur + CASE WHEN w.ok THEN 1 ELSE 0 END, w.prev, w.ok
        FROM (SELECT v.idx, v.cur, v.prev, v.cur + v.prev * (1 - v.elapsed) + 1 <= (SELECT ceiling FROM (${asker}) a) AS ok
                FROM (SELECT greatest(t.idx, r.window_index) AS idx,
                             CASE WHEN r.window_index >= t.idx THEN r.current_count ELSE 0 END AS cur,
                             CASE WHEN r.window_index >= t.idx THEN r.previous_count
                                  WHEN r.window_index = t.idx - 1 THEN r.current_count ELSE 0 END AS prev,
                             t.elapsed
                        FROM (SELECT floor(ms / ${WINDOW_MS})::bigint AS idx,
                                     ms / ${WINDOW_MS} - floor(ms / ${WINDOW_MS}) AS elapsed FROM ${now} c) t) v) w)
    RETURNING current_count AS "currentCount", previous_count AS "previousCount", allowed,
              (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`;
}
