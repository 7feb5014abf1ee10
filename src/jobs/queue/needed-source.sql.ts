const UNFINISHED = `j.status IN ('queued', 'processing')`;

/**
 * Whether no unfinished job needs an upload, as its source, as a mask or as a background picture, and no preset has it
 * as its background. The conditions repeat those of the indexes `jobs_masks` and `jobs_background`, so each part is one
 * lookup; an account has few presets.
 * @param source the row of the upload
 */
export const isUnneededSource = (source: string): string => `(
  (SELECT j.id FROM jobs j WHERE j.source_id = ${source}.id AND ${UNFINISHED} LIMIT 1) IS NULL
  AND (SELECT j.id FROM jobs j
        WHERE j.output -> 'background' ->> 'sourceId' = ${source}.id
          AND j.output -> 'background' ->> 'sourceId' IS NOT NULL AND ${UNFINISHED} LIMIT 1) IS NULL
  AND (SELECT j.id FROM jobs j
        WHERE jsonb_path_query_array(j.steps, '$[*].mask.sourceId') ? ${source}.id
          AND j.steps @? '$[*].mask' AND ${UNFINISHED} LIMIT 1) IS NULL
  AND (SELECT p.name FROM presets p
        WHERE p.account_id = ${source}.account_id
          AND strpos(p.output -> 'background' ->> 'sourceUrl', '/' || ${source}.id || '.') > 0 LIMIT 1) IS NULL)`;

/**
 * Whether no failed item of a batch with a retention waits for its retry: until its result would have expired, see
 * `FAILED_EXPIRY`. It then erases the source itself. An item that was retried is not the one to wait for.
 * @param source the row of the upload
 */
export const awaitsNoRetry = (source: string): string => `(
  SELECT j.id FROM jobs j
   WHERE j.source_id = ${source}.id AND j.status = 'failed' AND j.batch_id IS NOT NULL AND j.retried_as IS NULL
     AND j.retention IS NOT NULL AND j.deleted_at IS NULL AND j.result_erased_at IS NULL
     AND j.result_expires_at > now() LIMIT 1) IS NULL`;
