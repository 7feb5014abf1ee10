import type { Prepared } from '../../infra/database/database.js';
import { SHORT_LIVED_BATCH } from './short-lived.sql.js';

/**
 * Moves copies of results that no job owns to `object_erasures`, because the process that made them was killed. Waits
 * an hour, which is longer than any request. A request that still runs then finds its copies deleted and is refused.
 *
 * The id in the key names the job. If the job exists, the object is its result, whoever stored it, so only the record
 * is deleted: earlier versions left records of results that a worker has stored.
 */
export const ABANDONED_COPIES: Prepared = {
  name: 'result_copies_abandoned',
  text: `
    WITH gone AS (
      DELETE FROM result_copies WHERE object_key = ANY (ARRAY(
        SELECT object_key FROM result_copies WHERE created_at < now() - interval '1 hour'
         ORDER BY created_at LIMIT ${SHORT_LIVED_BATCH} FOR UPDATE SKIP LOCKED))
      RETURNING object_key),
    objects AS (
      INSERT INTO object_erasures (object_key)
      SELECT object_key FROM gone
       WHERE (SELECT j.id FROM jobs j WHERE j.id = substring(gone.object_key FROM 'job_[0-9a-f]{32}') LIMIT 1) IS NULL
      ON CONFLICT DO NOTHING)
    SELECT count(*)::int AS deleted FROM gone`,
};
