import type { Prepared } from '../../infra/database/database.js';
import { SHORT_LIVED_BATCH } from './short-lived.sql.js';

/** Longer than an upload stays open. A row that lives longer is a completed upload whose expiry was postponed. */
const MAX_OPEN = "interval '1 hour'";

/**
 * Deletes direct uploads that have expired, and adds the objects that clients sent to `object_erasures`. Waits some
 * minutes, because a client may still be sending. The expiry of a completed upload is postponed once, by `$1` hours (at
 * least 1), because a client may complete it again. Its file name is deleted, because the source has it.
 * Postponed uploads count as deleted.
 */
export const EXPIRED_DIRECT_UPLOADS: Prepared = {
  name: 'direct_uploads_expired',
  text: `
    WITH expired AS (
      SELECT id, source_id IS NOT NULL AND expires_at < created_at + ${MAX_OPEN} AS is_postponed FROM direct_uploads
       WHERE expires_at < now() - interval '10 minutes'
       ORDER BY expires_at LIMIT ${SHORT_LIVED_BATCH} FOR UPDATE SKIP LOCKED),
    postponed AS (
      UPDATE direct_uploads SET expires_at = expires_at + $1::int * interval '1 hour', name = NULL
       WHERE id = ANY (ARRAY(SELECT id FROM expired WHERE is_postponed))),
    gone AS (DELETE FROM direct_uploads WHERE id = ANY (ARRAY(SELECT id FROM expired WHERE NOT is_postponed))),
    objects AS (
      INSERT INTO object_erasures (object_key) SELECT 'incoming/' || id FROM expired ON CONFLICT DO NOTHING)
    SELECT count(*)::int AS deleted FROM expired`,
};
