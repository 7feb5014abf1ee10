import type { ClientBase } from 'pg';
import type { Prepared, Queryable } from '../database.js';

const HOLD: Prepared = {
  name: 'restore_hold',
  text: 'INSERT INTO restores (snapshot_at) VALUES ($1) RETURNING id::text',
};

const FIND: Prepared = {
  name: 'restore_find',
  text: `SELECT id::text FROM restores WHERE snapshot_at = $1 AND released_at IS NULL
          ORDER BY restores.id DESC LIMIT 1`,
};

const LIST: Prepared = {
  name: 'restore_list',
  text: `SELECT id::text, snapshot_at AS "snapshotAt", restored_at AS "restoredAt", released_at AS "releasedAt"
           FROM restores ORDER BY restores.id`,
};

const RELEASE: Prepared = {
  name: 'restore_release',
  text: 'UPDATE restores SET released_at = now() WHERE released_at IS NULL RETURNING id::text',
};

export interface RestoreRow {
  readonly id: string;
  readonly snapshotAt: Date;
  readonly restoredAt: Date;
  readonly releasedAt: Date | null;
}

/** Makes the orphan sweep keep objects that are newer than the backup. @returns the id of the restore */
export async function holdNewerObjects(on: Queryable, snapshotAt: Date): Promise<string> {
  const [row] = await on.query<{ id: string }>(HOLD, [snapshotAt]);
  return row!.id;
}

/** The same, in the transaction of a connection without a pool. */
export async function holdOn(client: ClientBase, snapshotAt: Date): Promise<void> {
  await client.query(HOLD.text, [snapshotAt]);
}

/** The id of the restore of this backup; undefined if it holds nothing yet, or no longer. */
export async function holdOf(on: Queryable, snapshotAt: Date): Promise<string | undefined> {
  return (await on.query<{ id: string }>(FIND, [snapshotAt]))[0]?.id;
}

/** Oldest first. */
export function listRestores(on: Queryable): Promise<RestoreRow[]> {
  return on.query<RestoreRow>(LIST);
}

/** Lets the orphan sweep delete newer objects again. @returns the ids of the released restores */
export async function releaseRestores(on: Queryable): Promise<readonly string[]> {
  return (await on.query<{ id: string }>(RELEASE)).map(({ id }) => id);
}
