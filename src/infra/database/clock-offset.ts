import type { Prepared, Queryable } from './database.js';

const NOW: Prepared = {
  name: 'database_clock',
  text: `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`,
};

/**
 * How far the clock of this host is ahead of that of the database, in milliseconds; negative if it is behind. The error
 * is at most half of the time that the query takes.
 */
export async function clockOffsetMs(on: Queryable): Promise<number> {
  const startedAtMs = performance.now();
  const [row] = await on.query<{ nowMs: number }>(NOW);
  return Date.now() - (performance.now() - startedAtMs) / 2 - row!.nowMs;
}
