import { WINDOW_MS, type WindowState } from '../../kernel/rate-limit.js';

/** The outcome for the requests to one bucket. */
export interface TakenRow {
  readonly currentCount: number;
  readonly previousCount: number;
  readonly granted: number;
  /** The database's clock. */
  readonly nowMs: number;
}

/** The window after one statement: the first `granted` requests were counted. */
export function stateAt(
  { currentCount, previousCount, granted, nowMs }: TakenRow,
  index: number,
): WindowState {
  const allowed = index < granted;
  const counted = allowed ? currentCount - granted + index + 1 : currentCount;
  return { nowMs, currentCount: counted, previousCount, allowed };
}

/**
 * The statement that takes requests out of buckets, shared by any number of API processes: advances each window when it
 * is over, counts as many requests as the limit allows, and returns the counts in either case. Uses the database's
 * clock, which is the same for all processes. Another statement may have begun the next window already. A window that
 * is further ahead was written by a clock that was wrong, and is over. Locks buckets in a fixed order, so that two
 * statements cannot deadlock.
 * @param asked SQL of a query with the columns `bucket` (text, unique), `ceiling` (requests a minute), and `n`
 * (requests)
 * @param share `part`: as many of the `n` requests as the limit allows; `whole`: all or none
 */
export function takeSql(asked: string, share: 'part' | 'whole' = 'part'): string {
  const granted = (room: string): string =>
    share === 'part' ? `least(a.n, ${room})` : `CASE WHEN a.n <= ${room} THEN a.n ELSE 0 END`;
  const isCurrent = 'r.window_index IN (t.idx, t.idx + 1)';
  const now = `(SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms)`;
  return `
    INSERT INTO rate_limits AS r (bucket, window_index, current_count, previous_count, granted)
    SELECT a.bucket, floor(t.ms / ${WINDOW_MS}), g.granted, 0, g.granted
      FROM (${asked}) a, ${now} t, LATERAL (SELECT (${granted('greatest(0, floor(a.ceiling))')})::integer AS granted) g
     ORDER BY a.bucket
    ON CONFLICT (bucket) DO UPDATE SET (window_index, current_count, previous_count, granted) = (
      SELECT w.idx, w.cur + w.granted, w.prev, w.granted
        FROM (SELECT v.idx, v.cur, v.prev,
                     (${granted('greatest(0, floor(a.ceiling - v.cur - v.prev * (1 - v.elapsed)))')})::integer AS granted
                FROM (SELECT CASE WHEN ${isCurrent} THEN r.window_index ELSE t.idx END AS idx,
                             CASE WHEN ${isCurrent} THEN r.current_count ELSE 0 END AS cur,
                             CASE WHEN ${isCurrent} THEN r.previous_count
                                  WHEN r.window_index = t.idx - 1 THEN r.current_count ELSE 0 END AS prev,
                             t.elapsed
                        FROM (SELECT floor(ms / ${WINDOW_MS})::bigint AS idx,
                                     ms / ${WINDOW_MS} - floor(ms / ${WINDOW_MS}) AS elapsed FROM ${now} c) t) v,
                     (${asked}) a
               WHERE a.bucket = r.bucket) w)
    RETURNING r.bucket AS "bucket", current_count AS "currentCount", previous_count AS "previousCount", granted,
              (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`;
}
