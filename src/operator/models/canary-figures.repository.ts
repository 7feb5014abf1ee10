import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { isTestAccountSql } from '../../kernel/accounts/livemode.js';
import { type CanaryFiguresDto, MAX_CANARY_JOBS, type VersionFiguresDto } from './canary.dto.js';

/** Reads jobs through the index `jobs_ended`, so that creating and running jobs need no counters. */
const FIGURES: Prepared = {
  name: 'model_canary_figures',
  text: `
    WITH canary AS (
      SELECT operation, serving, canary_version, canary_since FROM model_choices
       WHERE operation = $1 AND canary_version IS NOT NULL),
    newest AS MATERIALIZED (
      SELECT j.operation, j.account_id, j.created_at, j.status, j.error_code, j.model, j.promise, j.timings, j.steps,
             j.source_pixels, j.cached
        FROM jobs j WHERE j.completed_at >= (SELECT canary_since FROM canary) ORDER BY j.completed_at DESC LIMIT $2),
    counted AS (
      SELECT coalesce(n.model->>'version', n.promise->>'version')::int AS version, n.status = 'failed' AS failed,
             coalesce(n.steps->0->>'inferenceMs', n.timings->>'inferenceMs')::float8 AS ms,
             coalesce((n.steps->0->>'pixels')::float8, n.source_pixels) AS pixels
        FROM newest n JOIN canary c ON c.operation = n.operation
       WHERE n.created_at >= c.canary_since AND n.cached IS NOT TRUE AND n.error_code IS DISTINCT FROM 'canceled'
         AND NOT ${isTestAccountSql('n.account_id')})
    SELECT v.version, count(j.version)::int AS jobs, (count(*) FILTER (WHERE j.failed))::int AS failed,
           (sum(j.ms) FILTER (WHERE NOT j.failed) * 1000
             / nullif(sum(j.pixels) FILTER (WHERE NOT j.failed), 0))::float8 AS "secondsPerMegapixel",
           (SELECT count(*) FROM newest) = $2 AS capped
      FROM canary c CROSS JOIN LATERAL (VALUES (1, c.serving), (2, c.canary_version)) v (place, version)
      LEFT JOIN counted j ON j.version = v.version
     GROUP BY v.place, v.version ORDER BY v.place`,
};

/** The performance of a canary compared with the serving version. Only for operators. */
@Injectable()
export class CanaryFiguresRepository {
  constructor(private readonly database: Database) {}

  /** Undefined without a canary. */
  async read(operation: string): Promise<CanaryFiguresDto | undefined> {
    const rows = await this.database.query<VersionFiguresDto & { capped: boolean }>(FIGURES, [
      operation,
      MAX_CANARY_JOBS,
    ]);
    if (rows.length === 0) return undefined;
    return {
      data: rows.map(({ version, jobs, failed, secondsPerMegapixel }) => ({
        version,
        jobs,
        failed,
        secondsPerMegapixel,
      })),
      isCapped: rows[0]!.capped,
    };
  }
}
