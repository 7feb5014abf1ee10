import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';

/** Of these object keys, those that a row still speaks of. Rows are found by the id that stands in the key. */
const KNOWN_OBJECTS: Prepared = {
  name: 'keep_known_objects',
  text: `SELECT object_key AS key FROM sources
          WHERE id = ANY (SELECT substring(k FROM 'src_[0-9a-f]{32}') FROM unnest($1::text[]) AS k)
            AND object_key = ANY ($1) AND deleted_at IS NULL
         UNION ALL SELECT 'thumbnails/' || id || '.webp' FROM sources
          WHERE id = ANY (SELECT substring(k FROM '^thumbnails/(src_[0-9a-f]{32})[.]webp$') FROM unnest($1::text[]) AS k)
            AND deleted_at IS NULL
         UNION ALL SELECT result_key FROM jobs
          WHERE id = ANY (SELECT substring(k FROM 'job_[0-9a-f]{32}') FROM unnest($1::text[]) AS k)
            AND result_key = ANY ($1) AND result_erased_at IS NULL
         UNION ALL SELECT 'thumbnails/' || id || '.webp' FROM jobs
          WHERE id = ANY (SELECT substring(k FROM '^thumbnails/(job_[0-9a-f]{32})[.]webp$') FROM unnest($1::text[]) AS k)
            AND result_key IS NOT NULL AND result_erased_at IS NULL`,
};

/** Tells objects that a row speaks of from those nobody will ask for. */
@Injectable()
export class KnownObjects {
  constructor(private readonly database: Database) {}

  /** Those of the keys that no row speaks of. */
  async unknownOf(keys: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ key: string }>(KNOWN_OBJECTS, [keys]);
    const known = new Set(rows.map((row) => row.key));
    return keys.filter((key) => !known.has(key));
  }
}
