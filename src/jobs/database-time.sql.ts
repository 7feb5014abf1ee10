/** Differences up to this are delays of the network and are kept, so that responses and rows have the same time. */
const TOLERANCE = `interval '1 second'`;

/**
 * A time that this process has computed, on the clock of the database, which enforces it. Their clocks may differ, and
 * the statement may run long after `since`.
 * @param at SQL of the time
 * @param since SQL of what this process took for the current time when it computed `at`
 */
export const databaseTime = (at: string, since: string): string =>
  `CASE WHEN statement_timestamp() - ${since} BETWEEN -${TOLERANCE} AND ${TOLERANCE} THEN ${at}
                ELSE date_trunc('milliseconds', statement_timestamp()) + (${at} - ${since}) END`;

/** The current time of this process, on the clock of the database. */
export const databaseNow = (now: string): string => databaseTime(now, now);

/** A time as in JSON responses: in UTC, with milliseconds. */
const isoTime = (at: string): string => `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The data of an event about a new job, which this process has computed, with the times of its row.
 * @param data SQL of the JSON
 * @param job SQL of the inserted row, with `created_at` and `cancel_at`
 * @param since as in `databaseTime`
 */
export const withDatabaseTimes = (data: string, job: string, since: string): string =>
  `CASE WHEN ${job}.created_at = ${since} THEN ${data}
                ELSE ${data} || jsonb_build_object('job', ${data} -> 'job' || jsonb_strip_nulls(jsonb_build_object(
                  'createdAt', ${isoTime(`${job}.created_at`)}, 'cancelAt', ${isoTime(`${job}.cancel_at`)}))) END`;

/** The same for a job that is completed at once. @param since what this process took for the time of its completion */
export const withCompletionTimes = (data: string, job: string, since: string): string =>
  `CASE WHEN ${job}.completed_at = ${since} THEN ${data}
                ELSE ${data} || jsonb_build_object('job', ${data} -> 'job' || jsonb_build_object(
                  'createdAt', ${isoTime(`${job}.created_at`)}, 'startedAt', ${isoTime(`${job}.started_at`)},
                  'completedAt', ${isoTime(`${job}.completed_at`)},
                  'result', ${data} -> 'job' -> 'result' || jsonb_build_object(
                    'expiresAt', ${isoTime(`${job}.result_expires_at`)}))) END`;
