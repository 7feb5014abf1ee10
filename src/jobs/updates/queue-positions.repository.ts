import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';

/** The position in fair-share order; later jobs of other accounts may move ahead. */
const POSITIONS: Prepared = {
  name: 'queue_positions',
  text: `SELECT id, position FROM (
           SELECT id, row_number() OVER (ORDER BY turn, id)::integer AS position FROM jobs WHERE status = 'queued') q
          WHERE id = ANY($1::text[])`,
};

/** Queue positions. Not limited to an account. */
@Injectable()
export class QueuePositionsRepository {
  constructor(private readonly database: Database) {}

  /** Positions by job id, 1 = next. Jobs that are not queued have none. */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ id: string; position: number }>(POSITIONS, [ids]);
    return new Map(rows.map(({ id, position }) => [id, position]));
  }
}
