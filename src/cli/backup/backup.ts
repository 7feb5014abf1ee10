import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ClientBase } from 'pg';
import type { Config } from '../../config/env.js';
import { syncFolder } from '../../infra/storage/disk-pending-object.js';
import { isSchemaOld } from '../../models/serving/brief-connection.js';
import { ignoreMissing } from '../../infra/storage/storage-fault.js';
import { keepFilesPrivate } from '../../infra/storage/private-data-dir.js';
import type { ObjectStore } from '../../infra/storage/object-store.js';
import { thumbnailKey } from '../../uploads/thumbnails/thumbnail.js';
import type { DatabaseCommand } from '../administered.js';
import { BackupError } from './backup-error.js';
import { type BackupManifest, type ObjectMode, unknownMigrations, writeManifest } from './backup-manifest.js';
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
  stillReferenced,
} from './object-list.js';
import { openObjects } from './open-objects.js';
import { retryWhileStoreUnavailable } from './retry-while-store-unavailable.js';
import { sealedSecrets } from './sealed-secrets.js';
import { dumpTable, TABLES_FOLDER } from './table-files.js';

/** The rows of one snapshot. */
type Snapshot = Pick<BackupManifest, 'snapshotAt' | 'migrations' | 'installationId' | 'tables'>;

/**
 * `backup`: backs up the database of a running service, and the objects that its rows refer to, or their list. Rows are
 * read in one snapshot. Objects are copied afterward, because an object never changes under its key. The command throws
 * a BackupError if the folder is in use, if there are no keys or if the objects are not those of the installation, and
 * at the end if the keys open no sealed value, or if objects are damaged or lost, which the manifest then lists.
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
  const secrets = await keptSecrets(config);
  const sealed = await sealedSecrets(config, databaseUrl).catch(unknownIfSchemaIsOld);
  const store = await openObjects(config);
  const snapshot = await onDirectConnection(databaseUrl, async (client) => {
    await refuseForeignStore(client, store);
    await makeFolder(dir);
    return readSnapshot(client, dir);
  });
  const listed = await (mode === 'copy' ? copyObjects(store, dir) : countObjects(store, dir));
  const objects = await withLost(databaseUrl, listed);
  await writeManifest(dir, { ...snapshot, objects: { mode, ...objects }, secrets });
  await syncFolder(dir);
  const faults = [
    ...(objects.damaged.length > 0 ? [damagedObjects(dir, objects.damaged)] : []),
    ...(sealed !== undefined && sealed.readable === 0 && sealed.unreadable > 0
      ? [foreignKeys(dir, sealed.unreadable)]
      : []),
  ];
  if (faults.length > 0) throw new BackupError(faults.join(' '));
  return {
    backup: dir,
    snapshotAt: snapshot.snapshotAt,
    tables: snapshot.tables.length,
    rows: snapshot.tables.reduce((sum, { rows }) => sum + rows, 0),
    objects: { mode, ...objects },
    ...(sealed !== undefined && { sealedSecrets: sealed }),
    ...newerSchema(snapshot),
    keepElsewhere: secrets.map(({ name, keptIn, neededFor }) => `${name} (${keptIn}): ${neededFor}`),
  };
}

/** After a rollback, the service runs on the schema of the newer version. */
function newerSchema({ migrations }: Snapshot): Record<string, string> {
  const unknown = unknownMigrations(migrations);
  if (unknown.length === 0) return {};
  const note = `A newer version has migrated the database (${unknown.join(', ')}). Only that version can restore this backup.`;
  return { newerSchema: note };
}

/** A backup can precede the migrations of an update. */
function unknownIfSchemaIsOld(error: unknown): undefined {
  if (!isSchemaOld(error)) throw error;
  return undefined;
}

/** A wrong DATA_DIR or OBJECT_STORE_URL would lead to a backup without any photo. */
async function refuseForeignStore(client: ClientBase, store: ObjectStore): Promise<void> {
  const id = await installationId(client);
  if (id === null) return;
  if (id === (await retryWhileStoreUnavailable(() => store.installationId()))) return;
  throw new BackupError(
    'The objects in this store do not belong to the database. Set OBJECT_STORE_URL and DATA_DIR as for the service.',
  );
}

async function installationId(client: ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM installation');
  return rows[0]?.id ?? null;
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
  const installation = await installationId(client);
  const tables = [];
  for (const table of await backedUpTables(client)) tables.push(await dumpTable(client, dir, table));
  await objectList.write(dir, OBJECTS_TO_COPY, referencedObjects(client, thumbnailKey));
  await client.query('COMMIT');
  return {
    snapshotAt: rows[0]!.at.toISOString(),
    migrations: migrations.rows.map(({ name }) => name),
    installationId: installation,
    tables,
  };
}

type Counts = Required<Omit<BackupManifest['objects'], 'mode'>>;

/** Counts, with the keys of the objects that the store does not have. */
type Listed = Omit<Counts, 'missing'> & { readonly absent: readonly string[] };

/** An absent object is lost if a row still refers to it: rows are marked as deleted before their objects are deleted. */
async function withLost(databaseUrl: string, { absent, ...counts }: Listed): Promise<Counts> {
  const lost =
    absent.length === 0
      ? []
      : await onDirectConnection(databaseUrl, (client) => stillReferenced(client, absent));
  return { ...counts, missing: absent.length - lost.length, damaged: [...counts.damaged, ...lost] };
}

async function copyObjects(store: ObjectStore, dir: string): Promise<Listed> {
  const folders = new Set([join(dir, TABLES_FOLDER)]);
  const counts = await listObjects(dir, (object) => {
    folders.add(dirname(objectPath(dir, object.key)));
    return copyOut(store, dir, object);
  });
  for (const folder of folders) await syncFolder(folder).catch(ignoreMissing);
  return counts;
}

function countObjects(store: ObjectStore, dir: string): Promise<Listed> {
  return listObjects(dir, async (object) =>
    object.optional === true && !(await isStored(store, object)) ? undefined : object,
  );
}

/** @param take returns the object for the list; undefined leaves it out */
async function listObjects(
  dir: string,
  take: (object: ListedObject) => Promise<ListedObject | 'damaged' | undefined>,
): Promise<Listed> {
  const counts = { count: 0, bytes: 0 };
  const damaged: string[] = [];
  const absent: string[] = [];
  const taken = async function* (): AsyncGenerator<ListedObject> {
    for await (const object of objectList.read(dir, OBJECTS_TO_COPY)) {
      const found = await retryWhileStoreUnavailable(() => take(object));
      if (found === 'damaged') {
        if (object.optional !== true) damaged.push(object.key);
        continue;
      }
      if (found === undefined) {
        if (object.optional !== true) absent.push(object.key);
        continue;
      }
      counts.count += 1;
      counts.bytes += found.bytes ?? 0;
      yield found;
    }
  };
  await objectList.write(dir, OBJECT_LIST, taken());
  await rm(join(dir, OBJECTS_TO_COPY));
  return { ...counts, damaged, absent };
}

/** The keys are probably those of another installation. Whether the signing keys are the right ones is unknown. */
function foreignKeys(dir: string, sealed: number): string {
  return `${dir} names keys that open none of the ${sealed} sealed secrets in the database, so a restore needs other keys. Run the command with the SEALING_KEY and URL_SIGNING_KEY, or the DATA_DIR, of the service. If its keys are lost, replace the secrets (docs/secrets.md).`;
}

function damagedObjects(dir: string, keys: readonly string[]): string {
  return `${dir} is a backup of everything except ${keys.length} damaged or lost ${keys.length === 1 ? 'object' : 'objects'}, which backup.json lists: ${keys.slice(0, 5).join(', ')}${keys.length > 5 ? ', …' : ''}. Restore them from an older backup, or delete them in the service.`;
}
