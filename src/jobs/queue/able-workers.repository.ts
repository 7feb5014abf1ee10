import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { IS_ALIVE } from '../../models/serving/model-workers.repository.js';
import { JOB_KIND, requiredKinds } from './job-kind.sql.js';

/** Workers that do not report the size of their disk are not counted. */
const HAS_DISK: Prepared = {
  name: 'job_able_worker',
  text: `WITH job AS (SELECT ${JOB_KIND} AS kind FROM jobs WHERE id = $1)
         SELECT 1 FROM job JOIN model_workers w ON ${requiredKinds('kind')} <@ kinds
          WHERE w.id <> $3 AND state = 'serving' AND ${IS_ALIVE}
            AND (traits->>'scratchBytes')::float8 >= $2 LIMIT 1`,
};

/** Workers that can run a job, busy or not. Not limited to an account. */
@Injectable()
export class AbleWorkersRepository {
  constructor(private readonly database: Database) {}

  /**
   * Whether another serving worker has the models and the scratch disk for a job.
   * @param workerId the worker that asks, which is left out
   */
  async hasDiskFor(jobId: string, scratchBytes: number, workerId: string): Promise<boolean> {
    return (await this.database.query(HAS_DISK, [jobId, scratchBytes, workerId])).length > 0;
  }
}
