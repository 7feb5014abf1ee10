import type { Database } from '../../infra/database/database.js';
import { holdOf } from '../../infra/database/restores/restore-holds.js';
import { removeMark, unfinishedRestore } from '../../infra/database/restores/restore-mark.js';

/** Arbitrary lock id. Of the processes that start at the same time, one removes the mark and warns. */
const LOCK = 7_421_950_114;
/** A start does not wait longer for another process, or for a table that is in use. */
const LOCK_WAIT_MS = 5_000;

/**
 * Ends a restore that was not completed, when the service starts on its database: the rows change from now on, so a
 * later `restore` must not count them as those of the backup. The start goes on whatever happens, because an operator in
 * an emergency needs the service.
 * @param warn called if there was such a restore
 */
export async function leaveUnfinishedRestore(
  database: Database,
  warn: (text: string) => void,
): Promise<void> {
  const snapshotAt = await unfinishedRestore(database);
  if (snapshotAt === undefined) return;
  const outcome = await leave(database).catch((error: unknown) => error);
  // Another process was faster.
  if (outcome === false) return;
  const end =
    outcome === true
      ? 'Its rows are in use from now on, so "restore" is refused on this database.'
      : `Its mark could not be removed (${String(outcome)}), so "restore" would not load the rows of the backup again: run "node dist/main.admin.js migrate" as the owner of the table schema_migrations.`;
  warn(
    `The restore of the backup of ${snapshotAt} was not completed. ${end}${await adviceOf(database, snapshotAt)}`,
  );
}

/** @returns whether this process removed the mark */
function leave(database: Database): Promise<boolean> {
  return database.transaction(
    async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      if ((await unfinishedRestore(tx)) === undefined) return false;
      await removeMark(tx);
      return true;
    },
    { lockWaitMs: LOCK_WAIT_MS },
  );
}

/** What to run if nothing keeps the orphan sweep from deleting objects that are newer than the rows. */
async function adviceOf(database: Database, snapshotAt: string): Promise<string> {
  // Without the privilege to read the table, it is better to hold them twice than not at all.
  const hold = await holdOf(database, new Date(snapshotAt)).catch(() => undefined);
  if (hold !== undefined) return '';
  return ` Objects newer than the backup are not kept: stop the dispatchers and run "node dist/main.admin.js restores hold ${snapshotAt}".`;
}
