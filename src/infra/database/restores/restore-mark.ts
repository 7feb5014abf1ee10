import pg, { type ClientBase } from 'pg';
import type { Queryable } from '../database.js';

/**
 * A comment on this table says which backup's rows are loaded while the rest of the restore is still to be done. Every
 * schema has the table, and no migration changes its comment.
 */
const TABLE = 'schema_migrations';
const READ = `SELECT obj_description(to_regclass('${TABLE}'), 'pg_class') AS comment`;
const MARK = /^The rows of the backup of (\S+) are loaded\./;

interface Comment {
  readonly comment: string | null;
}

/** Marks the rows of a backup as loaded, in the transaction that loads them. */
export async function markLoaded(client: ClientBase, snapshotAt: string): Promise<void> {
  const text = `The rows of the backup of ${snapshotAt} are loaded. Run "restore" again to complete the restore.`;
  await client.query(`COMMENT ON TABLE ${TABLE} IS ${pg.escapeLiteral(text)}`);
}

/** Whether the rows of this backup are loaded, by a restore that has not ended. */
export async function isLoaded(client: ClientBase, snapshotAt: string): Promise<boolean> {
  const { rows } = await client.query<Comment>(READ);
  return snapshotOf(rows[0]!) === snapshotAt;
}

/** The snapshot of the backup whose rows are loaded, by a restore that has not ended; undefined without one. */
export async function unfinishedRestore(on: Queryable): Promise<string | undefined> {
  return snapshotOf((await on.query<Comment>(READ))[0]!);
}

/** Ends the restore. The user must own the table. */
export async function removeMark(tx: Queryable): Promise<void> {
  await tx.query(`COMMENT ON TABLE ${TABLE} IS NULL`, []);
}

function snapshotOf({ comment }: Comment): string | undefined {
  return comment === null ? undefined : MARK.exec(comment)?.[1];
}
