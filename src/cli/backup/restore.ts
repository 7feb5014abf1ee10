import { resolve } from 'node:path';
import { auditLog } from '../../audit/audit-log.js';
import { withDatabase } from '../../app/role/database-session.js';
import type { Config } from '../../config/env.js';
import { Database } from '../../infra/database/database.js';
import { runMigrations } from '../../infra/database/migrate.js';
import { keepFilesPrivate } from '../../infra/storage/private-data-dir.js';
import type { ObjectStore } from '../../infra/storage/object-store.js';
import type { DatabaseCommand } from '../administered.js';
import { serviceKeys } from '../secrets/service-keys.js';
import { BackupError } from './backup-error.js';
import { type BackupManifest, readManifest, unknownMigrations } from './backup-manifest.js';
import { onDirectConnection } from './direct-connection.js';
import { refuseUnlessEmpty, refuseWhileInUse } from './empty-database.js';
import { loadTables } from './load-tables.js';
import { copyIn, isStored } from './object-files.js';
import { OBJECT_LIST, objectList } from './object-list.js';
import { openObjects } from './open-objects.js';
import { holdNewerObjects, holdOf } from '../../infra/database/restores/restore-holds.js';
import { isLoaded, removeMark } from '../../infra/database/restores/restore-mark.js';
import { retryWhileStoreUnavailable } from './retry-while-store-unavailable.js';
import { sealedSecrets } from './sealed-secrets.js';

/**
 * `restore`: restores a backup into an empty database, and its objects into the store. Creates the schema of the backup,
 * loads the rows, and then runs newer migrations. From then on, the orphan sweep keeps objects that are newer than the
 * backup. Another run of the command completes an interrupted restore. The command throws a BackupError.
 */
export function restore(folder: string): DatabaseCommand {
  return { onDatabase: (config, databaseUrl) => restoreFrom(resolve(folder), config, databaseUrl) };
}

async function restoreFrom(
  dir: string,
  config: Config,
  databaseUrl: string,
): Promise<Record<string, unknown>> {
  keepFilesPrivate();
  const manifest = await readManifest(dir);
  refuseNewer(manifest);
  const store = await openObjects(config);
  await refuseForeignStore(store, manifest);
  // Fails before the rows are loaded if there are no keys and none can be created.
  await serviceKeys(config, 'sealing');
  const { objects, isContinued } = await onDirectConnection(databaseUrl, async (client) => {
    await refuseWhileInUse(client);
    const wasLoaded = await isLoaded(client, manifest.snapshotAt);
    if (!wasLoaded) await refuseUnlessEmpty(client, manifest.migrations);
    // Before the rows, so that nothing refers to an object that is not there yet.
    const restoredObjects = await restoreObjects(store, dir, manifest);
    if (!wasLoaded) {
      await runMigrations(databaseUrl, manifest.migrations);
      // One transaction also holds newer objects, and lets another run continue if this one is killed from here on.
      await loadTables(client, dir, manifest);
    }
    return { objects: restoredObjects, isContinued: wasLoaded };
  });
  await runMigrations(databaseUrl);
  const sealed = await sealedSecretsReport(config, databaseUrl);
  const held = await complete(databaseUrl, manifest.snapshotAt);
  return {
    restored: dir,
    snapshotAt: manifest.snapshotAt,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    ...(isContinued && { continued: 'An earlier run loaded the rows. This run did the rest.' }),
    objects,
    sealedSecrets: sealed,
    held: `Restore ${held}: objects written later than an hour before ${manifest.snapshotAt} are kept until "restores release".`,
  };
}

/** Ends the restore in the database. @returns the id of the hold of newer objects */
function complete(databaseUrl: string, snapshotAt: string): Promise<string> {
  return withDatabase(databaseUrl, (dataSource) =>
    new Database(dataSource).transaction(async (tx) => {
      const details = { snapshotAt };
      await auditLog.record(tx, { action: 'restore.completed', accountId: null, details });
      await removeMark(tx);
      const moment = new Date(snapshotAt);
      return (await holdOf(tx, moment)) ?? holdNewerObjects(tx, moment);
    }),
  );
}

function refuseNewer({ migrations }: BackupManifest): void {
  const unknown = unknownMigrations(migrations);
  if (unknown.length > 0)
    throw new BackupError(
      `The backup has the schema of a newer version of the service, with ${unknown.join(', ')}. Restore it with that version.`,
    );
}

async function refuseForeignStore(store: ObjectStore, { installationId }: BackupManifest): Promise<void> {
  const found = await store.installationId();
  if (found !== undefined && installationId !== null && found !== installationId)
    throw new BackupError('The objects in this store belong to a different installation than the backup.');
}

/** Restores copied objects; for a list, checks that every object exists. */
async function restoreObjects(
  store: ObjectStore,
  dir: string,
  { objects: { mode, damaged = [] }, installationId }: BackupManifest,
): Promise<Record<string, unknown>> {
  const counts = { mode, copied: 0, there: 0, missing: 0 };
  if (installationId !== null) await store.claimFor(installationId);
  for await (const object of objectList.read(dir, OBJECT_LIST)) {
    const outcome = await retryWhileStoreUnavailable(async () => {
      if (mode === 'copy') return copyIn(store, dir, object);
      return (await isStored(store, object)) ? 'there' : 'missing';
    });
    counts[outcome] += 1;
  }
  return { ...counts, ...(damaged.length > 0 && { damaged }) };
}

/** Whether the keys of this installation open the sealed values of the backup. */
async function sealedSecretsReport(config: Config, databaseUrl: string): Promise<Record<string, unknown>> {
  const counts = await sealedSecrets(config, databaseUrl);
  return {
    ...counts,
    ...(counts.unreadable > 0 && { advice: 'Set the SEALING_KEY of the installation that was backed up.' }),
  };
}
