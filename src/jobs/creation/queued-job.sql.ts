/** Columns that every new job sets, besides its status. The others keep their defaults until a worker claims the job. */
type QueuedColumn =
  | 'id'
  | 'account_id'
  | 'source_id'
  | 'operation'
  | 'level'
  | 'output'
  | 'metadata'
  | 'promise'
  | 'source_pixels'
  | 'period'
  | 'created_at'
  | 'traceparent'
  | 'request_hash'
  | 'turn'
  | 'clock_turn'
  | 'steps'
  | 'enhancements'
  | 'work_pixels'
  | 'preset'
  | 'callback_url'
  | 'cancel_at'
  | 'expires_in'
  | 'retention'
  | 'batch_id'
  | 'batch_index';

/** The SQL expression of each column. */
export type QueuedJobValues = Readonly<Record<QueuedColumn, string>>;

/**
 * Inserts queued jobs. Single jobs and batches share it: a column that one of them leaves out doesn't compile.
 * @param from what follows `FROM`
 */
export function insertQueuedJobs(values: QueuedJobValues, from: string): string {
  return `INSERT INTO jobs (status, ${Object.keys(values).join(', ')})
      SELECT 'queued', ${Object.values(values).join(', ')}
        FROM ${from}`;
}
