import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '../../../src/infra/database/database.js';

/** Everything that a request could leave behind. */
export interface Footprint {
  readonly sources: number;
  readonly jobs: number;
  readonly batches: number;
  readonly presets: number;
  readonly events: number;
  readonly ledger: number;
  readonly idempotencyKeys: number;
  readonly endpoints: number;
  readonly deliveries: number;
  readonly enhancementsUsed: number;
  readonly storageBytes: number;
  readonly objects: number;
  readonly temporaryFiles: number;
}

const COUNTS = `
  SELECT (SELECT count(*) FROM sources)::int AS sources, (SELECT count(*) FROM jobs)::int AS jobs,
         (SELECT count(*) FROM batches)::int AS batches,
         (SELECT count(*) FROM presets)::int AS presets,
         (SELECT count(*) FROM events)::int AS events, (SELECT count(*) FROM quota_ledger)::int AS ledger,
         (SELECT count(*) FROM idempotency_keys)::int AS "idempotencyKeys",
         (SELECT count(*) FROM webhook_endpoints)::int AS endpoints,
         (SELECT count(*) FROM webhook_deliveries)::int AS deliveries,
         (SELECT coalesce(sum(used), 0) FROM enhancement_usage)::int AS "enhancementsUsed",
         (SELECT coalesce(sum(used_bytes), 0) FROM storage_usage)::float8 AS "storageBytes"`;

/**
 * Counts rows, objects, and files that are not yet (or no longer) objects. Lists folders synchronously and does not stat
 * files: specs that share a store call this hundreds of times, and listing the keys of the store took 15 times the CPU.
 */
export async function measureFootprint(app: INestApplicationContext, objectsDir: string): Promise<Footprint> {
  const [rows] = await app.get(Database).query<Omit<Footprint, 'objects' | 'temporaryFiles'>>(COUNTS);
  const entries = readdirSync(objectsDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const kept = join(objectsDir, 'kept', '/');
  const objects = files.filter(({ parentPath }) => parentPath.startsWith(kept)).length;
  return { ...rows!, objects, temporaryFiles: files.length - objects };
}
