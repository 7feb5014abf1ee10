import type { Prepared } from '../../infra/database/database.js';
import { SHORT_LIVED_BATCH } from './short-lived.sql.js';

/**
 * Deletes direct uploads that have expired, and adds the objects that clients sent to `object_erasures`. Waits some
 * minutes, because a client may still be sending, and a completed upload may be requested again.
 */
export const EXPIRED_DIRECT_UPLOADS: Prepared = {
  name: 'direct_uploads_expired',
  text: `
    WITH gone AS (
      DELETE FROM direct_uploads WHERE id = ANY (ARRAY(
        SELECT id FROM direct_uploads WHERE expires_at < now() - interval '10 minutes'
         ORDER BY expires_at LIMIT ${SHORT_LIVED_BATCH} FOR UPDATE SKIP LOCKED))
      RETURNING id),
    objects AS (INSERT INTO object_erasures (object_key) SELECT 'incoming/' || id FROM gone ON CONFLICT DO NOTHING)
    SELECT count(*)::int AS deleted FROM gone`,
};
