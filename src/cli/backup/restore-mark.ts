import pg, { type ClientBase } from 'pg';
import type { Queryable } from '../../infra/database/database.js';

/**
 * A comment on this table says which backup's rows are loaded while the rest of the restore is still to be done. Every
 * schema has the table, and no migration changes its comment.
 */
const TABLE = 'schema_migrations';

/** Marks the rows of a backup as loaded, in the transaction that loads them. */
export async function markLoaded(client: ClientBase, snapshotAt: string): Promise<void> {
  await client.query(`COMMENT ON TABLE ${TABLE} IS ${pg.escapeLiteral(textOf(snapshotAt))}`);
}

/** Whether the rows of this backup are loaded, by a restore that has not ended. */
export async function isLoaded(client: ClientBase, snapshotAt: string): Promise<boolean> {
  const { rows } = await client.query<{ comment: string | null }>(
    `SELECT obj_description(to_regclass($1), 'pg_class') AS comment`,
    [TABLE],
  );
  return rows[0]!.comment === textOf(snapshotAt);
}

/** Ends the restore. */
export async function removeMark(tx: Queryable): Promise<void> {
  await tx.query(`COMMENT ON TABLE ${TABLE} IS NULL`, []);
}

function textOf(snapshotAt: string): string {
  return `The rows of the backup of ${snapshotAt} are loaded. Run "restore" again to complete the restore.`;
}
