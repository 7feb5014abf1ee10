/**
 * SQL that settles the quota of a job within the statement that completes it.
 * `job`: a WITH query with the new row of the job, if it was completed, as `JOB_COLUMNS` names its columns.
 */

/**
 * Makes the reserved enhancements of the job final. The ledger row decides: only a job's first settlement inserts it,
 * so no job is settled twice.
 */
export function commitEnhancementsOf(job: string): string {
  return `INSERT INTO quota_ledger (job_id, kind, account_id, period, enhancements)
          SELECT id, 'commit', "accountId", period, enhancements FROM ${job} WHERE enhancements <> 0
          ON CONFLICT DO NOTHING`;
}

/** Counts the bytes of the job's result, regardless of the limit: what exists must be counted. */
export function addStorageOf(job: string): string {
  return `INSERT INTO storage_usage AS u (account_id, used_bytes)
          SELECT "accountId", "resultBytes" FROM ${job} WHERE "resultBytes" <> 0
          ON CONFLICT (account_id) DO UPDATE SET used_bytes = u.used_bytes + excluded.used_bytes`;
}
