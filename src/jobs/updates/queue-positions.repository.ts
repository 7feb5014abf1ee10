import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { TEST_PROMISE } from '../test-mode/test-job.js';

const LOWEST_BIGINT = '-9223372036854775808';

/**
 * The position in fair-share order; later jobs of other accounts may move ahead. Test jobs have their own queue. All
 * of them have steps, so an index finds them. An index counts the live jobs between each of these and the next:
 * numbering every queued job took seven times as long for one job among 20,000.
 */
const POSITIONS: Prepared = {
  name: 'queue_positions',
  text: `WITH test AS MATERIALIZED (
           SELECT id, turn FROM jobs
            WHERE status = 'queued' AND steps IS NOT NULL AND promise->>'producesAlpha' = '${TEST_PROMISE}'),
         asked AS (
           SELECT id, turn, lag(turn, 1, '${LOWEST_BIGINT}'::bigint) OVER queue AS "turnBefore",
                  lag(id, 1, '') OVER queue AS "idBefore"
             FROM jobs WHERE id = ANY($1::text[]) AND status = 'queued' AND id NOT IN (SELECT id FROM test)
           WINDOW queue AS (ORDER BY turn, id)),
         placed AS (
           SELECT id, turn, sum((
                    SELECT count(*) FROM jobs
                     WHERE status = 'queued' AND (turn, id) > (asked."turnBefore", asked."idBefore")
                       AND (turn, id) <= (asked.turn, asked.id))) OVER (ORDER BY turn, id)::integer AS place
             FROM asked),
         ranked AS (
           SELECT id, place, "isTest", count(*) FILTER (WHERE "isTest") OVER (ORDER BY turn, id)::integer AS tests
             FROM (SELECT id, turn, NULL::integer AS place, true AS "isTest" FROM test
                    UNION ALL
                   SELECT id, turn, place, false FROM placed) counted)
         SELECT id, CASE WHEN "isTest" THEN tests ELSE place - tests END AS position
           FROM ranked WHERE id = ANY($1::text[])`,
};

/** Queue positions. Not limited to an account. */
@Injectable()
export class QueuePositionsRepository {
  constructor(private readonly database: Database) {}

  /** Positions by job id, 1 = next in its mode. Jobs that are not queued have none. */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ id: string; position: number }>(POSITIONS, [ids]);
    return new Map(rows.map(({ id, position }) => [id, position]));
  }
}
