import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BackupManifest } from '../../../src/cli/backup/backup-manifest.js';
import { loadSecrets } from '../../../src/config/secrets/secrets.js';
import { MIGRATION_NAMES } from '../../../src/infra/database/data-source.js';
import { runMigrations } from '../../../src/infra/database/migrate.js';
import { DiskObjectStore } from '../../../src/infra/storage/disk-object-store.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { type AdminOutcome, runAdminCommand } from '../../support/roles/admin-command.js';
import { ensureFlowBuild } from '../../support/roles/flow-build.js';

/** The first migration with a table for holds. */
const HOLDS = MIGRATION_NAMES.indexOf('Restores1733392000000');

describe('a restore that fails after the rows are loaded', () => {
  let dir: string;
  const databases: TestDatabase[] = [];
  let folders = 0;

  beforeAll(async () => {
    await ensureFlowBuild();
    dir = await mkdtemp(join(tmpdir(), 'ies-continued-'));
    await loadSecrets(join(dir, 'data'));
    await DiskObjectStore.open(join(dir, 'data', 'objects'));
  });
  afterAll(async () => {
    for (const database of databases) await database.drop();
    if (dir !== undefined) await rm(dir, { recursive: true, force: true });
  });

  async function databaseWith(migrations: readonly string[]): Promise<TestDatabase> {
    const database = await createEmptyDatabase();
    databases.push(database);
    await runMigrations(database.databaseUrl, migrations);
    return database;
  }

  function admin(database: TestDatabase, ...words: readonly string[]): Promise<AdminOutcome> {
    return runAdminCommand({ DATABASE_URL: database.databaseUrl, DATA_DIR: join(dir, 'data') }, ...words);
  }

  async function backUp(migrations: readonly string[]): Promise<string> {
    const original = await databaseWith(migrations);
    const rows = new FlowDatabase(original.databaseUrl);
    await rows.rows(`INSERT INTO accounts (id, email, plan) VALUES ('acc_1', 'a@example.org', 'free')`);
    await rows.close();
    const folder = join(dir, `backup-${(folders += 1)}`);
    const { code, output } = await admin(original, 'backup', folder);
    expect(code, output).toBe(0);
    return folder;
  }

  it.each([
    ['of this version', MIGRATION_NAMES],
    ['from before there were holds', MIGRATION_NAMES.slice(0, HOLDS)],
  ])('is completed by the next run, with a backup %s', async (_, migrations) => {
    const folder = await backUp(migrations);
    const other = await backUp(migrations);
    const { snapshotAt } = JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')) as BackupManifest;
    const target = await databaseWith(migrations);
    const restored = new FlowDatabase(target.databaseUrl);
    try {
      // Fails what follows the rows, as a lost database would.
      await restored.rows(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION ''not now''; END'`);
      await restored.rows(
        'CREATE TRIGGER refuse BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION refuse()',
      );
      const failed = await admin(target, 'restore', folder);
      expect(failed).toMatchObject({ code: 1, output: expect.stringContaining('not now') });
      expect(await restored.rows('SELECT email FROM accounts')).toHaveLength(1);
      await restored.rows('DROP FUNCTION refuse CASCADE');

      const refused = { code: 1, output: expect.stringContaining('The database has accounts') as string };
      expect(await admin(target, 'restore', other)).toMatchObject(refused);
      const completed = await admin(target, 'restore', folder);
      expect(completed.code, completed.output).toBe(0);
      expect(await restored.rows('SELECT email FROM accounts')).toHaveLength(1);
      expect(await restored.rows('SELECT snapshot_at, released_at FROM restores')).toEqual([
        { snapshot_at: new Date(snapshotAt), released_at: null },
      ]);
      expect(
        await restored.rows(`SELECT details FROM audit_events WHERE action = 'restore.completed'`),
      ).toEqual([{ details: { snapshotAt } }]);
      expect(await admin(target, 'restore', folder)).toMatchObject(refused);
    } finally {
      await restored.close();
    }
  });
});
