import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../infra/database/database.js';

/**
 * The given object keys that a row refers to, including those that are still to be erased. Sources and jobs are looked
 * up by the id in the key; the limits keep the planner to one primary key lookup each.
 */
const KNOWN_OBJECTS: Prepared = {
  name: 'keep_known_objects',
  text: `SELECT known.key FROM unnest($1::text[], $2::text[], $3::bool[]) AS o (k, id, thumbnail) CROSS JOIN LATERAL (
           (SELECT o.k AS key FROM sources s
             WHERE s.id = o.id AND (o.thumbnail OR s.object_key = o.k) AND s.deleted_at IS NULL LIMIT 1)
           UNION ALL (SELECT o.k FROM jobs j
             WHERE j.id = o.id AND (j.result_key = o.k OR o.thumbnail AND j.result_key IS NOT NULL)
               AND j.result_erased_at IS NULL LIMIT 1)
           UNION ALL (SELECT o.k FROM object_erasures e WHERE e.object_key = o.k LIMIT 1)) known`,
};

const ID_IN_KEY = /(?:src|job)_[0-9a-f]{32}/;
const THUMBNAIL_KEY = /^thumbnails\/(?:src|job)_[0-9a-f]{32}[.]webp$/;

/**
 * Distinguishes referenced objects from orphans. Objects in `object_erasures` are no orphans: many of them may wait
 * after a large deletion, and the database that lists them is complete.
 */
@Injectable()
export class ReferencedObjects {
  constructor(private readonly database: Database) {}

  /** The keys that no row refers to. */
  async unknownOf(keys: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ key: string }>(KNOWN_OBJECTS, [
      keys,
      keys.map((key) => ID_IN_KEY.exec(key)?.[0] ?? null),
      keys.map((key) => THUMBNAIL_KEY.test(key)),
    ]);
    const known = new Set(rows.map((row) => row.key));
    return keys.filter((key) => !known.has(key));
  }
}
