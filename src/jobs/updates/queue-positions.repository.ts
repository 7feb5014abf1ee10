import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { TEST_PROMISE } from '../test-mode/test-job.js';

/**
 * The position in fair-share order; later jobs of other accounts may move ahead. Test jobs have their own queue. All
 * of them have steps, so an index finds them. An index also counts the live jobs.
 */
const POSITIONS: Prepared = {
  name: 'queue_positions',
  text: `WITH test AS MATERIALIZED (
           SELECT id, turn FROM jobs
            WHERE status = 'queued' AND steps IS NOT NULL AND promise->>'producesAlpha' = '${TEST_PROMISE}'),
         q AS (
           SELECT id, turn, row_number() OVER (ORDER BY turn, id)::integer AS place FROM jobs WHERE status = 'queued'),
         ranked AS (
           SELECT id, place, "isTest", count(*) FILTER (WHERE "isTest") OVER (ORDER BY turn, id)::integer AS tests
             FROM (SELECT id, turn, NULL::integer AS place, true AS "isTest" FROM test
                    UNION ALL
                   SELECT id, turn, place, false FROM q
                    WHERE id = ANY($1::text[]) AND id NOT IN (SELECT id FROM test)) counted)
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
