const UNFINISHED = `j.status IN ('queued', 'processing')`;

/**
 * Whether no unfinished job needs an upload, as its source, as a mask or as a background picture. The conditions repeat
 * those of the indexes `jobs_masks` and `jobs_background`, so each part is one lookup.
 * @param id the column with the id of the upload
 */
export const isUnneededSource = (id: string): string => `(
  (SELECT j.id FROM jobs j WHERE j.source_id = ${id} AND ${UNFINISHED} LIMIT 1) IS NULL
  AND (SELECT j.id FROM jobs j
        WHERE j.output -> 'background' ->> 'sourceId' = ${id}
          AND j.output -> 'background' ->> 'sourceId' IS NOT NULL AND ${UNFINISHED} LIMIT 1) IS NULL
  AND (SELECT j.id FROM jobs j
        WHERE jsonb_path_query_array(j.steps, '$[*].mask.sourceId') ? ${id}
          AND j.steps @? '$[*].mask' AND ${UNFINISHED} LIMIT 1) IS NULL)`;
