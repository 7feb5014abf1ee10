import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { WORKER_GONE_MS } from '../../models/serving/model-workers.repository.js';
import { TEST_KIND } from '../test-mode/test-job.js';
import { JOB_KIND, requiredKinds, WAITING_KINDS } from './job-kind.sql.js';

const WAITS = `status = 'queued' AND deleted_at IS NULL`;

/**
 * Kinds that no worker serves. A kind is unserved when no worker that could run it was seen for `$1` ms: a worker
 * that drains or just died is probably being replaced. While no worker at all was seen for that long, nothing is
 * unserved. Workers of older versions, which do not report kinds (`{}`), are assumed to run everything. Every worker
 * draws test jobs.
 */
const UNSERVED = `
    WITH RECURSIVE ${WAITING_KINDS},
    given AS (SELECT now() - $1::float8 * interval '1 millisecond' AS since),
    unserved AS (
      SELECT hop.kind, given.since FROM hop CROSS JOIN given
       WHERE hop.kind IS NOT NULL AND ${requiredKinds('hop.kind')} <> ARRAY['${TEST_KIND}']
         AND EXISTS (SELECT 1 FROM model_workers
                      WHERE state = 'serving' AND started_at < given.since
                        AND seen_at > now() - interval '${WORKER_GONE_MS} milliseconds')
         AND NOT EXISTS (SELECT 1 FROM model_workers
                          WHERE seen_at > given.since AND (kinds = '{}' OR ${requiredKinds('hop.kind')} <@ kinds)))`;

const KINDS: Prepared = { name: 'job_unserved_kinds', text: `${UNSERVED} SELECT kind FROM unserved` };

const JOBS: Prepared = {
  name: 'job_unserved',
  text: `${UNSERVED}
    SELECT j.id, j.operation FROM unserved CROSS JOIN LATERAL (
      SELECT id, operation FROM jobs
       WHERE ${WAITS} AND ${JOB_KIND} = unserved.kind AND created_at < unserved.since ORDER BY turn, id LIMIT $3) j
     WHERE unserved.kind = ANY ($2::text[]) LIMIT $3`,
};

export interface UnroutableJob {
  readonly id: string;
  readonly operation: string;
}

/** Queued jobs that no worker can run as promised. Not limited to an account. */
@Injectable()
export class UnroutableJobsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Kinds of waiting jobs, see `workKind`.
   * @param patienceMs how long no worker must have been able to run them
   */
  async kinds(patienceMs: number): Promise<readonly string[]> {
    return (await this.database.query<{ kind: string }>(KINDS, [patienceMs])).map(({ kind }) => kind);
  }

  /** Jobs of these kinds that are still unserved and have waited for as long. */
  async find(kinds: readonly string[], patienceMs: number, limit: number): Promise<readonly UnroutableJob[]> {
    return this.database.query<UnroutableJob>(JOBS, [patienceMs, kinds, limit]);
  }
}
