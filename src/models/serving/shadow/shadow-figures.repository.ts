import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../../infra/database/database.js';
import { IS_ALIVE } from '../model-workers.repository.js';
import { bucketOf, type DifferenceBuckets } from './difference-buckets.js';

/** Workers that may die during shadow runs before no more runs start, because the version may be what kills them. */
export const MAX_LOST = 3;

const LOST = `SELECT count(*)::int FROM model_shadow_runs r
  WHERE r.operation = f.operation AND r.since = f.since
    AND NOT EXISTS (SELECT FROM model_workers w WHERE w.id = r.worker_id AND ${IS_ALIVE})`;

/**
 * Allows one run per machine at a time, because its workers share the processor. A killed worker is detected only after
 * a while.
 */
const BEGIN: Prepared = {
  name: 'model_shadow_begin',
  text: `INSERT INTO model_shadow_runs (worker_id, operation, since)
         SELECT $1, f.operation, f.since FROM model_shadow_figures f
          WHERE f.operation = $2 AND f.since = $3::timestamptz AND f.version = $4 AND f.serving = $5
            AND (${LOST}) < ${MAX_LOST}
            AND NOT EXISTS (
              SELECT FROM model_shadow_runs r JOIN model_workers w ON w.id = r.worker_id
               WHERE r.worker_id <> $1 AND ${IS_ALIVE}
                 AND w.host = (SELECT host FROM model_workers WHERE id = $1))
         ON CONFLICT (worker_id) DO UPDATE SET operation = excluded.operation, since = excluded.since
         RETURNING worker_id`,
};

const COMPARED: Prepared = {
  name: 'model_shadow_compared',
  text: `WITH ended AS (DELETE FROM model_shadow_runs WHERE worker_id = $1),
         counted AS (
           UPDATE model_shadow_figures
              SET compared = compared + 1, is_matte = $4, worst_percent = greatest(worst_percent, $5::float8),
                  squared_error = squared_error + $6::float8, serving_ms = serving_ms + $7::float8,
                  shadow_ms = shadow_ms + $8::float8
            WHERE operation = $2 AND since = $3::timestamptz
           RETURNING operation, since)
         INSERT INTO model_shadow_buckets AS b (operation, since, bucket, jobs)
         SELECT operation, since, $9::int, 1 FROM counted
         ON CONFLICT (operation, since, bucket) DO UPDATE SET jobs = b.jobs + 1`,
};

const FAILED: Prepared = {
  name: 'model_shadow_failed',
  text: `WITH ended AS (DELETE FROM model_shadow_runs WHERE worker_id = $1)
         UPDATE model_shadow_figures SET failed = failed + 1, last_failure = $4
          WHERE operation = $2 AND since = $3::timestamptz`,
};

const END: Prepared = {
  name: 'model_shadow_end',
  text: 'DELETE FROM model_shadow_runs WHERE worker_id = $1',
};

const DROPPED: Prepared = {
  name: 'model_shadow_dropped',
  text: `UPDATE model_shadow_figures SET dropped = dropped + $3
          WHERE operation = $1 AND since = $2::timestamptz`,
};

const READ: Prepared = {
  name: 'model_shadow_read',
  text: `SELECT f.version, f.serving, f.compared, f.dropped, f.failed, f.last_failure AS "lastFailure",
                f.is_matte AS "isMatte", f.worst_percent AS "worstPercent", f.squared_error AS "squaredError",
                f.serving_ms AS "servingMs", f.shadow_ms AS "shadowMs", (${LOST}) AS lost,
                (SELECT coalesce(jsonb_object_agg(b.bucket, b.jobs), '{}') FROM model_shadow_buckets b
                  WHERE b.operation = f.operation AND b.since = f.since) AS buckets
           FROM model_shadow_figures f JOIN model_choices c
             ON c.operation = f.operation AND c.shadow_since = f.since
          WHERE f.operation = $1`,
};

/** Identifies a shadow and its figures. */
export interface ShadowRef {
  readonly operation: string;
  readonly version: number;
  /** The version with whose results the shadow's results are compared. */
  readonly serving: number;
  readonly since: string;
}

/** The result of one run of a shadow. */
export interface ShadowComparison {
  /** Whether the shapes of mattes were compared; otherwise, the colors were. */
  readonly isMatte: boolean;
  /** 0–100. */
  readonly percent: number;
  /** Mean over the image, in squared 8-bit levels; 0 for mattes. */
  readonly squaredError: number;
  /** Inference time of both versions, milliseconds. */
  readonly servingMs: number;
  readonly shadowMs: number;
}

/** The sums over all runs of a shadow. */
export interface StoredShadowFigures {
  readonly version: number;
  readonly serving: number;
  readonly compared: number;
  readonly dropped: number;
  readonly failed: number;
  /** Workers that died during a run. */
  readonly lost: number;
  readonly lastFailure: string | null;
  /** Null before the first comparison. */
  readonly isMatte: boolean | null;
  readonly worstPercent: number | null;
  readonly squaredError: number;
  readonly servingMs: number;
  readonly shadowMs: number;
  readonly buckets: DifferenceBuckets;
}

/** The figures of shadows: one row and its buckets for each shadow. They belong to the service, not to an account. */
@Injectable()
export class ShadowFiguresRepository {
  constructor(private readonly database: Database) {}

  /** @returns false if the shadow ended, too many workers died, or another worker of this machine runs a shadow */
  async begin(workerId: string, { operation, since, version, serving }: ShadowRef): Promise<boolean> {
    const rows = await this.database.query(BEGIN, [workerId, operation, since, version, serving]);
    return rows.length > 0;
  }

  async compared(workerId: string, { operation, since }: ShadowRef, found: ShadowComparison): Promise<void> {
    const { isMatte, percent, squaredError, servingMs, shadowMs } = found;
    const values = [isMatte, percent, squaredError, servingMs, shadowMs, bucketOf(percent)];
    await this.database.query(COMPARED, [workerId, operation, since, ...values]);
  }

  async failed(workerId: string, { operation, since }: ShadowRef, why: string): Promise<void> {
    await this.database.query(FAILED, [workerId, operation, since, why]);
  }

  /** Ends a run without a result. */
  async end(workerId: string): Promise<void> {
    await this.database.query(END, [workerId]);
  }

  async dropped({ operation, since }: ShadowRef, jobs: number): Promise<void> {
    await this.database.query(DROPPED, [operation, since, jobs]);
  }

  /** Undefined without a shadow. */
  async read(operation: string): Promise<StoredShadowFigures | undefined> {
    return (await this.database.query<StoredShadowFigures>(READ, [operation]))[0];
  }
}
