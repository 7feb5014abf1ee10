import type { Prepared, Queryable } from './database.js';

const NOW: Prepared = {
  name: 'database_clock',
  text: `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`,
};

/** How far the clock of this host is ahead of that of the database, milliseconds; 0 if it is behind. */
export async function clockAheadMs(on: Queryable): Promise<number> {
  const [row] = await on.query<{ nowMs: number }>(NOW);
  return Math.max(0, Date.now() - row!.nowMs);
}
