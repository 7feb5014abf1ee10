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
                ELSE statement_timestamp() + (${at} - ${since}) END`;
