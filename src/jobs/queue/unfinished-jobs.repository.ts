import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { JOB_KIND, requiredKinds, WAITING_KINDS } from './job-kind.sql.js';

/** Queued jobs are found by the index `jobs_queued_kind`; few jobs are claimed at any time. */
const COUNT: Prepared = {
  name: 'jobs_unfinished_by_kind',
  text: `WITH RECURSIVE ${WAITING_KINDS}
         SELECT (
           (SELECT count(*) FROM hop JOIN jobs ON ${JOB_KIND} = hop.kind
             WHERE ${requiredKinds('hop.kind')} && $1::text[] AND status = 'queued' AND deleted_at IS NULL)
         + (SELECT count(*) FROM jobs WHERE status = 'processing' AND ${requiredKinds(JOB_KIND)} && $1::text[]))::int AS jobs`,
};

/** Jobs that have not ended. Belongs to the service, not to an account. */
@Injectable()
export class UnfinishedJobsRepository {
  constructor(private readonly database: Database) {}

  /** @param kinds of steps, see `workKind`; jobs with a step of one of them are counted */
  async count(kinds: readonly string[]): Promise<number> {
    const [row] = await this.database.query<{ jobs: number }>(COUNT, [kinds]);
    return row!.jobs;
  }
}
