import pg, { type ClientBase } from 'pg';
import type { BackupManifest } from './backup-manifest.js';
import { holdOn } from '../../infra/database/restores/restore-holds.js';
import { markLoaded } from '../../infra/database/restores/restore-mark.js';
import { loadTable } from './table-files.js';

/** Continues a table's sequences after the highest value that was loaded. */
const SEQUENCES = `
  SELECT a.attname::text AS "column", pg_get_serial_sequence(quote_ident($1), a.attname) AS sequence
    FROM pg_attribute a
   WHERE a.attrelid = quote_ident($1)::regclass AND a.attnum > 0 AND NOT a.attisdropped
     AND pg_get_serial_sequence(quote_ident($1), a.attname) IS NOT NULL`;

/**
 * Messages of the queue are not backed up, and the workers that held leases no longer exist. Their attempts do not
 * count: a job on its last one would fail as if its worker had died.
 */
const MEND = `
  UPDATE jobs SET enqueued_at = NULL,
         attempts = CASE WHEN status = 'processing' THEN greatest(attempts - 1, 0) ELSE attempts END,
         lease_expires_at = CASE WHEN status = 'processing' THEN now() ELSE lease_expires_at END
   WHERE status IN ('queued', 'processing')`;

/**
 * Replaces the rows of all tables with those of a backup, in one transaction. Triggers are disabled, because the backup
 * contains the rows that they write (events, daily sums). Foreign keys are checked.
 * Holds newer objects in the same transaction, unless the schema of the backup is too old for that, and marks the restore
 * as one that is still to be completed.
 * @throws BackupError if a file is damaged; the database is then unchanged
 */
export async function loadTables(
  client: ClientBase,
  dir: string,
  { tables, snapshotAt }: Pick<BackupManifest, 'tables' | 'snapshotAt'>,
): Promise<void> {
  await client.query('BEGIN');
  try {
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
    // A migration may have written rows.
    for (const { name } of tables.toReversed()) await client.query(`DELETE FROM ${quoted(name)}`);
    for (const table of tables) {
      await loadTable(client, dir, table);
      await continueSequences(client, table.name);
    }
    await client.query(MEND);
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    if (tables.some(({ name }) => name === 'restores')) await holdOn(client, new Date(snapshotAt));
    await markLoaded(client, snapshotAt);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function continueSequences(client: ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ column: string; sequence: string }>(SEQUENCES, [table]);
  for (const { column, sequence } of rows) {
    const highest = `(SELECT max(${quoted(column)}) FROM ${quoted(table)})`;
    await client.query(`SELECT setval($1, coalesce(${highest}, 1), ${highest} IS NOT NULL)`, [sequence]);
  }
}

function quoted(name: string): string {
  return pg.escapeIdentifier(name);
}
