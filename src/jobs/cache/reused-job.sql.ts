import { databaseNow, databaseTime } from '../database-time.sql.js';

/** Columns that are the same as in the job whose result is reused. */
const SAME = [
  'operation',
  'level',
  'output',
  'promise',
  'model',
  'device',
  'precision',
  'source_pixels',
  'work_pixels',
  'request_hash',
  'result_format',
  'result_width',
  'result_height',
  'result_bytes',
  'result_sha256',
  'result_crc32',
  'result_applied',
];

/** Columns that a job with a copied result sets itself. */
type OwnColumn =
  | 'id'
  | 'account_id'
  | 'source_id'
  | 'metadata'
  | 'timings'
  | 'steps'
  | 'period'
  | 'result_key'
  | 'result_expires_at'
  | 'created_at'
  | 'started_at'
  | 'completed_at'
  | 'traceparent'
  | 'key_id'
  | 'preset'
  | 'callback_url'
  | 'expires_in'
  | 'retention'
  | 'batch_id'
  | 'batch_index';

/** The SQL expression of each column. */
export type ReusedJobValues = Readonly<Record<OwnColumn, string>>;

/** The times of inserted jobs, on the clock of the database. */
export interface ReusedTimes {
  readonly createdAt: Date;
  readonly startedAt: Date;
  readonly completedAt: Date;
  readonly resultExpiresAt: Date;
}

/** SQL of these times. */
export const REUSED_TIMES = `created_at AS "createdAt", started_at AS "startedAt", completed_at AS "completedAt",
             result_expires_at AS "resultExpiresAt"`;

/** Moves the times that this process has computed to the clock of the database. */
export const reusedTimes = (
  createdAt: string,
  completedAt: string,
  expiresAt: string,
): Pick<ReusedJobValues, 'created_at' | 'started_at' | 'completed_at' | 'result_expires_at'> => ({
  created_at: databaseTime(createdAt, completedAt),
  started_at: databaseTime(createdAt, completedAt),
  completed_at: databaseNow(completedAt),
  result_expires_at: databaseTime(expiresAt, completedAt),
});

/**
 * Inserts completed jobs with the result of the job `h`. Single jobs and batches share it: a column that one of them
 * leaves out doesn't compile.
 * @param from what follows `FROM`
 */
export function insertReusedJobs(values: ReusedJobValues, from: string): string {
  return `INSERT INTO jobs (status, progress, attempts, claims, enhancements, cached, ${SAME.join(', ')},
                        ${Object.keys(values).join(', ')})
      SELECT 'completed', 1, 0, 0, 0, true, ${SAME.map((column) => `h.${column}`).join(', ')},
             ${Object.values(values).join(', ')}
        FROM ${from}`;
}
