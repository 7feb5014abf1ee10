import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { JOB_KIND } from './job-kind.sql.js';

/** Queued jobs are found by the index `jobs_queued_kind`; few jobs are claimed at any time. */
const COUNT: Prepared = {
  name: 'jobs_unfinished_by_kind',
  text: `SELECT (
           (SELECT count(*) FROM unnest($1::text[]) AS k (kind) JOIN jobs ON ${JOB_KIND} = k.kind
             WHERE status = 'queued' AND deleted_at IS NULL)
         + (SELECT count(*) FROM jobs WHERE status = 'processing' AND ${JOB_KIND} = ANY ($1)))::int AS jobs`,
};

/** Jobs that have not ended. Belongs to the service, not to an account. */
@Injectable()
export class UnfinishedJobsRepository {
  constructor(private readonly database: Database) {}

  /** @param kinds see `workKind` */
  async count(kinds: readonly string[]): Promise<number> {
    const [row] = await this.database.query<{ jobs: number }>(COUNT, [kinds]);
    return row!.jobs;
  }
}
