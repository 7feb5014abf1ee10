import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';

/** Whether a job may still run, in SQL: its `cancelAfter` has not passed. */
export const IN_TIME = `(cancel_at IS NULL OR cancel_at > now())`;

const OVERDUE: Prepared = {
  name: 'job_overdue',
  text: `SELECT j.id, round(extract(epoch FROM j.cancel_at - j.created_at))::int AS seconds,
                j.cancel_reason IS NOT DISTINCT FROM 'account_suspended' AS "isSuspended"
           FROM jobs j
          WHERE cancel_at <= now() AND status IN ('queued', 'processing') ORDER BY cancel_at LIMIT $1`,
};

export interface OverdueJob {
  readonly id: string;
  /** How long it was allowed to take. */
  readonly seconds: number;
  /** Whether it is canceled because its account was suspended. */
  readonly isSuspended: boolean;
}

/** Jobs that must be canceled because their time is over. Not limited to an account. */
@Injectable()
export class OverdueJobsRepository {
  constructor(private readonly database: Database) {}

  /** Those that are overdue the longest. */
  async find(limit: number): Promise<readonly OverdueJob[]> {
    return this.database.query<OverdueJob>(OVERDUE, [limit]);
  }
}
