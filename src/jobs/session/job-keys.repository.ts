import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';

/** Jobs that cost nothing are not in the ledger. */
const KEYS_OF_JOBS: Prepared = {
  name: 'dashboard_keys_of_jobs',
  text: `SELECT l.job_id AS "jobId", k.id, k.name FROM quota_ledger l JOIN api_keys k ON k.id = l.key_id
          WHERE l.job_id = ANY ($2) AND l.kind = 'reserve' AND l.account_id = $1
         UNION ALL
         SELECT j.id, k.id, k.name FROM jobs j JOIN api_keys k ON k.id = j.key_id
          WHERE j.id = ANY ($2) AND j.cached AND j.account_id = $1`,
};

@Injectable()
export class JobKeysRepository {
  constructor(private readonly database: Database) {}

  /** The keys that created these jobs; jobs of the dashboard are missing. */
  async keysOf(
    accountId: string,
    jobIds: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly id: string; readonly name: string }>> {
    if (jobIds.length === 0) return new Map();
    const rows = await this.database.query<{ jobId: string; id: string; name: string }>(KEYS_OF_JOBS, [
      accountId,
      jobIds,
    ]);
    return new Map(rows.map(({ jobId, id, name }) => [jobId, { id, name }]));
  }
}
