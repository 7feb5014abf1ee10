import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ClientBase } from 'pg';
import type { Config } from '../../config/env.js';
import { syncFolder } from '../../infra/storage/disk-pending-object.js';
import { ignoreMissing } from '../../infra/storage/storage-fault.js';
import { keepFilesPrivate } from '../../infra/storage/private-data-dir.js';
import type { ObjectStore } from '../../infra/storage/object-store.js';
import { thumbnailKey } from '../../uploads/thumbnails/thumbnail.js';
import type { DatabaseCommand } from '../administered.js';
import { BackupError } from './backup-error.js';
import { type BackupManifest, type ObjectMode, writeManifest } from './backup-manifest.js';
import { backedUpTables } from './backed-up-tables.js';
import { onDirectConnection } from './direct-connection.js';
import { keptSecrets } from './kept-secrets.js';
import { copyOut, isStored, objectPath } from './object-files.js';
import {
  type ListedObject,
  OBJECT_LIST,
  objectList,
  OBJECTS_TO_COPY,
  referencedObjects,
} from './object-list.js';
import { openObjects } from './open-objects.js';
import { retryWhileStoreUnavailable } from './retry-while-store-unavailable.js';
import { dumpTable, TABLES_FOLDER } from './table-files.js';

/** The rows of one snapshot. */
type Snapshot = Pick<BackupManifest, 'snapshotAt' | 'migrations' | 'installationId' | 'tables'>;

/**
 * `backup`: backs up the database of a running service, and the objects that its rows refer to, or their list. Rows are
 * read in one snapshot. Objects are copied afterward, because an object never changes under its key. The command throws
 * a BackupError if the folder is in use, and at the end if objects are damaged, which the manifest then lists.
 * @param folder new or empty
 */
export function backUp(folder: string, mode: ObjectMode): DatabaseCommand {
  return { onDatabase: (config, databaseUrl) => backUpTo(resolve(folder), mode, config, databaseUrl) };
}

async function backUpTo(
  dir: string,
  mode: ObjectMode,
  config: Config,
  databaseUrl: string,
): Promise<Record<string, unknown>> {
  keepFilesPrivate();
  await makeFolder(dir);
  const snapshot = await onDirectConnection(databaseUrl, (client) => readSnapshot(client, dir));
  const store = await openObjects(config);
  const objects = await (mode === 'copy' ? copyObjects(store, dir) : countObjects(store, dir));
  const secrets = await keptSecrets(config);
  await writeManifest(dir, { ...snapshot, objects: { mode, ...objects }, secrets });
  await syncFolder(dir);
  if (objects.damaged.length > 0) throw new BackupError(damagedObjects(dir, objects.damaged));
  return {
    backup: dir,
    snapshotAt: snapshot.snapshotAt,
    tables: snapshot.tables.length,
    rows: snapshot.tables.reduce((sum, { rows }) => sum + rows, 0),
    objects: { mode, ...objects },
    keepElsewhere: secrets.map(({ name, keptIn, neededFor }) => `${name} (${keptIn}): ${neededFor}`),
  };
}

async function makeFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if ((await readdir(dir)).length > 0) throw new BackupError(`${dir} is not empty.`);
  await mkdir(join(dir, TABLES_FOLDER));
}

async function readSnapshot(client: ClientBase, dir: string): Promise<Snapshot> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await client.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  const migrations = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY id');
  const installation = await client.query<{ id: string }>('SELECT id FROM installation');
  const tables = [];
  for (const table of await backedUpTables(client)) tables.push(await dumpTable(client, dir, table));
  await objectList.write(dir, OBJECTS_TO_COPY, referencedObjects(client, thumbnailKey));
  await client.query('COMMIT');
  return {
    snapshotAt: rows[0]!.at.toISOString(),
    migrations: migrations.rows.map(({ name }) => name),
    installationId: installation.rows[0]?.id ?? null,
    tables,
  };
}

type Counts = Required<Omit<BackupManifest['objects'], 'mode'>>;

async function copyObjects(store: ObjectStore, dir: string): Promise<Counts> {
  const folders = new Set([join(dir, TABLES_FOLDER)]);
  const counts = await listObjects(dir, (object) => {
    folders.add(dirname(objectPath(dir, object.key)));
    return copyOut(store, dir, object);
  });
  for (const folder of folders) await syncFolder(folder).catch(ignoreMissing);
  return counts;
}

function countObjects(store: ObjectStore, dir: string): Promise<Counts> {
  return listObjects(dir, async (object) =>
    object.optional === true && !(await isStored(store, object)) ? undefined : object,
  );
}

/** @param take returns the object for the list; undefined leaves it out */
async function listObjects(
  dir: string,
  take: (object: ListedObject) => Promise<ListedObject | 'damaged' | undefined>,
): Promise<Counts> {
  const counts = { count: 0, bytes: 0, missing: 0 };
  const damaged: string[] = [];
  const taken = async function* (): AsyncGenerator<ListedObject> {
    for await (const object of objectList.read(dir, OBJECTS_TO_COPY)) {
      const found = await retryWhileStoreUnavailable(() => take(object));
      if (found === 'damaged') {
        if (object.optional !== true) damaged.push(object.key);
        continue;
      }
      if (found === undefined) {
        // Deleted since the snapshot.
        if (object.optional !== true) counts.missing += 1;
        continue;
      }
      counts.count += 1;
      counts.bytes += found.bytes ?? 0;
      yield found;
    }
  };
  await objectList.write(dir, OBJECT_LIST, taken());
  await rm(join(dir, OBJECTS_TO_COPY));
  return { ...counts, damaged };
}

function damagedObjects(dir: string, keys: readonly string[]): string {
  return `${dir} is a backup of everything except ${keys.length} damaged objects, which backup.json lists: ${keys.slice(0, 5).join(', ')}${keys.length > 5 ? ', …' : ''}. Restore them from an older backup, or delete them in the service.`;
}
