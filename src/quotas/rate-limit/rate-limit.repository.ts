import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { decisionOf, type RateLimitDecision } from '../../kernel/rate-limit.js';
import { stateAt, takeSql, type TakenRow } from './rate-limit.sql.js';

const TAKE: Prepared = {
  name: 'rate_limit_take',
  text: takeSql('SELECT $1::text AS bucket, $2::float8 AS ceiling, 1 AS n'),
};

const TAKE_ALL: Prepared = {
  name: 'rate_limit_take_all',
  text: takeSql(
    'SELECT bucket, ceiling, 1 AS n FROM unnest($1::text[], $2::float8[]) AS asked (bucket, ceiling)',
  ),
};

const TAKE_WHOLE: Prepared = {
  name: 'rate_limit_take_whole',
  text: takeSql('SELECT $1::text AS bucket, $2::float8 AS ceiling, $3::integer AS n', 'whole'),
};

/** A bucket and its limit in requests a minute. */
export interface BucketLimit {
  readonly bucket: string;
  readonly limit: number;
}

@Injectable()
export class RateLimitRepository {
  constructor(private readonly database: Database) {}

  /** Takes one request out of a bucket of `limit` a minute. Refused requests are not counted. */
  async take(bucket: string, limit: number): Promise<RateLimitDecision> {
    const [taken] = await this.database.query<TakenRow>(TAKE, [bucket, limit]);
    return decisionOf(stateAt(taken!, 0), limit);
  }

  /**
   * Takes `asked` units out of a bucket of `limit` a minute, all or none. More units than the limit take a whole minute;
   * otherwise they could never be taken.
   * @param on a transaction; a rollback undoes the count
   */
  async takeWhole(on: Queryable, bucket: string, asked: number, limit: number): Promise<RateLimitDecision> {
    const units = Math.min(limit, asked);
    const [taken] = await on.query<TakenRow>(TAKE_WHOLE, [bucket, limit, units]);
    const { currentCount, previousCount, granted, nowMs } = taken!;
    return decisionOf({ currentCount, previousCount, nowMs, allowed: granted === units }, limit, units);
  }

  /**
   * Takes one request out of each of the given distinct buckets in one statement. Returns results in the same order.
   */
  async takeAll(buckets: readonly BucketLimit[]): Promise<RateLimitDecision[]> {
    const rows = await this.database.query<TakenRow & { bucket: string }>(TAKE_ALL, [
      buckets.map(({ bucket }) => bucket),
      buckets.map(({ limit }) => limit),
    ]);
    const byBucket = new Map(rows.map((row) => [row.bucket, row]));
    return buckets.map(({ bucket, limit }) => decisionOf(stateAt(byBucket.get(bucket)!, 0), limit));
  }
}
