import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../infra/database/database.js';
import { decisionOf, type RateLimitDecision, type WindowState } from '../kernel/rate-limit.js';
import { takeSql } from './rate-limit.sql.js';

const TAKE: Prepared = {
  name: 'rate_limit_take',
  text: takeSql('SELECT $1::text AS bucket, $2::float8 AS ceiling'),
};

@Injectable()
export class RateLimitRepository {
  constructor(private readonly database: Database) {}

  /** Takes one request out of a bucket of `limit` a minute. Refused requests are not counted. */
  async take(bucket: string, limit: number): Promise<RateLimitDecision> {
    const [state] = await this.database.query<WindowState & Record<string, unknown>>(TAKE, [bucket, limit]);
    return decisionOf(state!, limit);
  }
}
