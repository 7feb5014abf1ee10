import type { ClientBase } from 'pg';
import { BackupError } from './backup-error.js';

/** A table as the catalog describes it. */
export interface BackedUpTable {
  readonly name: string;
  /** Excludes generated columns. */
  readonly columns: readonly string[];
  /** Tables that its foreign keys refer to, itself excluded. */
  readonly references: readonly string[];
}

/** Rows that a restored service writes again or does without. The manifest lists the migrations. */
const LEFT_OUT = [
  'schema_migrations',
  'rate_limits',
  'mail_limits',
  'model_workers',
  'model_verdicts',
  'model_shadow_runs',
  'worker_logs',
  'version_comparisons',
];

/**
 * The schema that holds the tables of the service. The queue's schema is not backed up, because the sweeper enqueues
 * every queued job again.
 */
const TABLES = `
  SELECT c.relname AS name,
         (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
           WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
         ARRAY(SELECT DISTINCT confrelid::regclass::text FROM pg_constraint
                WHERE conrelid = c.oid AND contype = 'f' AND confrelid <> c.oid) AS "references"
    FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
   ORDER BY c.relname`;

const ADVICE =
  'The schema of the service has no such key. Drop the keys that were added, or back up with pg_dump (docs/backup.md).';

/** Every table of a backup. Referenced tables come first. @throws BackupError if no order of the tables does that */
export async function backedUpTables(client: ClientBase): Promise<readonly BackedUpTable[]> {
  const { rows } = await client.query<BackedUpTable>(TABLES, [LEFT_OUT]);
  const ordered: BackedUpTable[] = [];
  const placed = new Set<string>();
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ name, references }) => !placed.has(name) && references.every((other) => placed.has(other)),
    );
    if (next.length === 0) throw new BackupError(whyNotOrdered(rows, placed));
    for (const table of next) placed.add(table.name);
    ordered.push(...next);
  }
  return ordered;
}

/** @param placed every other table refers to one that is not placed */
function whyNotOrdered(tables: readonly BackedUpTable[], placed: ReadonlySet<string>): string {
  const path: string[] = [];
  let table = tables.find(({ name }) => !placed.has(name));
  while (table !== undefined && !path.includes(table.name)) {
    path.push(table.name);
    const next = table.references.find((name) => !placed.has(name))!;
    table = tables.find(({ name }) => name === next);
    if (table === undefined)
      return `The table ${path.at(-1)} has a foreign key to ${next}, which is not backed up. ${ADVICE}`;
  }
  const cycle = [...path.slice(path.indexOf(table!.name)), table!.name];
  return `The foreign keys of the tables form a cycle: ${cycle.join(' → ')}. ${ADVICE}`;
}
