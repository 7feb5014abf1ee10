import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';

/** The place in the order in which jobs have their turn; what other accounts send meanwhile may come before it. */
const POSITIONS: Prepared = {
  name: 'queue_positions',
  text: `SELECT id, position FROM (
           SELECT id, row_number() OVER (ORDER BY turn, id)::integer AS position FROM jobs WHERE status = 'queued') q
          WHERE id = ANY($1::text[])`,
};

/** Where jobs stand in the queue. Belongs to the service, not to an account. */
@Injectable()
export class QueuePositionsRepository {
  constructor(private readonly database: Database) {}

  /** Places by job id, 1 = next. A job that is not queued has none. */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.query<{ id: string; position: number }>(POSITIONS, [ids]);
    return new Map(rows.map(({ id, position }) => [id, position]));
  }
}
