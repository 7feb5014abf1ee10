import { randomBytes } from 'node:crypto';
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
import { FlowService } from '../../support/roles/flow-service.js';

/** The first migration with a table for holds. */
const HOLDS = MIGRATION_NAMES.indexOf('Restores1733392000000');

const REFUSED = { code: 1, output: expect.stringContaining('The database has accounts') as string };
const NOT_COMPLETED = /The restore of the backup of \S+ was not completed/g;

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

  /** Fails what follows the rows, as a lost database would. */
  async function restoreRowsOnly(target: TestDatabase, folder: string): Promise<void> {
    const restored = new FlowDatabase(target.databaseUrl);
    try {
      await restored.rows(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION ''not now''; END'`);
      await restored.rows(
        'CREATE TRIGGER refuse BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION refuse()',
      );
      const failed = await admin(target, 'restore', folder);
      expect(failed).toMatchObject({ code: 1, output: expect.stringContaining('not now') });
      expect(await restored.rows('SELECT email FROM accounts')).toHaveLength(1);
      await restored.rows('DROP FUNCTION refuse CASCADE');
    } finally {
      await restored.close();
    }
  }

  async function snapshotOf(folder: string): Promise<string> {
    return (JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')) as BackupManifest).snapshotAt;
  }

  it.each([
    ['of this version', MIGRATION_NAMES],
    ['from before there were holds', MIGRATION_NAMES.slice(0, HOLDS)],
  ])('is completed by the next run, with a backup %s', async (_, migrations) => {
    const folder = await backUp(migrations);
    const other = await backUp(migrations);
    const snapshotAt = await snapshotOf(folder);
    const target = await databaseWith(migrations);
    await restoreRowsOnly(target, folder);
    const restored = new FlowDatabase(target.databaseUrl);
    try {
      expect(await admin(target, 'restore', other)).toMatchObject(REFUSED);
      const completed = await admin(target, 'restore', folder);
      expect(completed.code, completed.output).toBe(0);
      expect(JSON.parse(completed.output)).toMatchObject({
        continued: expect.stringContaining('An earlier run loaded the rows'),
      });
      expect(await restored.rows('SELECT email FROM accounts')).toHaveLength(1);
      expect(await restored.rows('SELECT snapshot_at, released_at FROM restores')).toEqual([
        { snapshot_at: new Date(snapshotAt), released_at: null },
      ]);
      expect(
        await restored.rows(`SELECT details FROM audit_events WHERE action = 'restore.completed'`),
      ).toEqual([{ details: { snapshotAt } }]);
      expect(await admin(target, 'restore', folder)).toMatchObject(REFUSED);
    } finally {
      await restored.close();
    }
  });

  it('holds newer objects again if it is completed after they were released', async () => {
    const folder = await backUp(MIGRATION_NAMES);
    const target = await databaseWith(MIGRATION_NAMES);
    await restoreRowsOnly(target, folder);
    await admin(target, 'restores', 'release');
    const completed = await admin(target, 'restore', folder);
    expect(JSON.parse(completed.output)).toMatchObject({
      held: expect.stringMatching(/^Restore 2: objects written later than an hour before \d/),
    });
    const holds = JSON.parse((await admin(target, 'restores', 'list')).output) as object[];
    expect(holds).toMatchObject([
      { newerObjects: expect.stringMatching(/^released/) },
      { newerObjects: 'held' },
    ]);
  });

  it('is refused after roles have started, one of which says that it was not completed', async () => {
    const folder = await backUp(MIGRATION_NAMES);
    const target = await databaseWith(MIGRATION_NAMES);
    await restoreRowsOnly(target, folder);
    const service = await FlowService.start({ databaseUrl: target.databaseUrl, roles: [] });
    try {
      const roles = await Promise.all([service.startRole('api'), service.startRole('dispatcher')]);
      const logs = roles.map(({ log }) => log).join('');
      expect(logs.match(NOT_COMPLETED)).toHaveLength(1);
      expect(logs).toContain(`The restore of the backup of ${await snapshotOf(folder)} `);
      expect(logs).not.toContain('restores hold');
    } finally {
      await service.close();
    }
    expect(await admin(target, 'restore', folder)).toMatchObject(REFUSED);
  });

  it('is refused after "migrate", which says how to hold newer objects if nothing holds them yet', async () => {
    const migrations = MIGRATION_NAMES.slice(0, HOLDS);
    const folder = await backUp(migrations);
    const target = await databaseWith(migrations);
    await restoreRowsOnly(target, folder);
    const words = ['restores', 'hold', await snapshotOf(folder)];
    const migrated = await admin(target, 'migrate');
    expect(migrated).toMatchObject({ code: 0, output: expect.stringMatching(NOT_COMPLETED) });
    expect(migrated.output).toContain(`run "node dist/main.admin.js ${words.join(' ')}"`);
    expect(await admin(target, ...words)).toMatchObject({ code: 0 });
    expect((await admin(target, 'migrate')).output).not.toMatch(NOT_COMPLETED);
    expect(await admin(target, 'restore', folder)).toMatchObject(REFUSED);
  });

  it('stops no role whose database user does not own the tables', async () => {
    const folder = await backUp(MIGRATION_NAMES);
    const target = await databaseWith(MIGRATION_NAMES);
    await restoreRowsOnly(target, folder);
    const user = `user_${randomBytes(6).toString('hex')}`;
    const url = new URL(target.databaseUrl);
    const owner = new FlowDatabase(target.databaseUrl);
    Object.assign(url, { username: user, password: 'secret' });
    await owner.rows(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'`);
    try {
      await owner.rows(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${user}`);
      await owner.rows(`GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${user}`);
      // For the queue's schema.
      await owner.rows(`GRANT CREATE ON DATABASE ${url.pathname.slice(1)} TO ${user}`);
      const service = await FlowService.start({ databaseUrl: url.href, roles: [] });
      try {
        const { log } = await service.startRole('dispatcher');
        expect(log).toMatch(NOT_COMPLETED);
        expect(log).toContain('must be owner of table schema_migrations');
        expect(log).not.toContain('restores hold');
      } finally {
        await service.close();
      }
      expect((await admin(target, 'migrate')).output).toMatch(NOT_COMPLETED);
      expect(await admin(target, 'restore', folder)).toMatchObject(REFUSED);
    } finally {
      await owner.rows(`DROP OWNED BY ${user} CASCADE`);
      await owner.rows(`DROP ROLE ${user}`);
      await owner.close();
    }
  });
});
