import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../infra/database/database.js';
import { decisionOf, type RateLimitDecision } from '../kernel/rate-limit.js';
import { stateAt, takeSql, type TakenRow } from './rate-limit.sql.js';

const TAKE: Prepared = {
  name: 'rate_limit_take',
  text: takeSql('SELECT $1::text AS bucket, $2::float8 AS ceiling, 1 AS n'),
};

@Injectable()
export class RateLimitRepository {
  constructor(private readonly database: Database) {}

  /** Takes one request out of a bucket of `limit` a minute. Refused requests are not counted. */
  async take(bucket: string, limit: number): Promise<RateLimitDecision> {
    const [taken] = await this.database.query<TakenRow & Record<string, unknown>>(TAKE, [bucket, limit]);
    return decisionOf(stateAt(taken!, 0), limit);
  }
}
