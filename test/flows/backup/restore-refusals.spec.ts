import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSecrets, secretsPath } from '../../../src/config/secrets/secrets.js';
import type { BackupManifest } from '../../../src/cli/backup/backup-manifest.js';
import { SecretBox } from '../../../src/infra/sealing/secret-box.js';
import { DiskObjectStore } from '../../../src/infra/storage/disk-object-store.js';
import { newId } from '../../../src/kernel/ids.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/postgres.js';
import { type AdminOutcome, runAdminCommand } from '../../support/roles/admin-command.js';
import { ensureFlowBuild } from '../../support/roles/flow-build.js';

const BYTES = Buffer.from('what a photo is made of');

describe('backup and restore', () => {
  let dir: string;
  let original: TestDatabase;
  let rows: FlowDatabase;
  let store: DiskObjectStore;
  let objectKey: string;
  const targets: TestDatabase[] = [];
  let folders = 0;

  beforeAll(async () => {
    await ensureFlowBuild();
    dir = await mkdtemp(join(tmpdir(), 'ies-restore-'));
    original = await createTestDatabase();
    rows = new FlowDatabase(original.databaseUrl);
    const id = newId('source');
    objectKey = `sources/${id}.png`;
    await rows.rows(`INSERT INTO accounts (id, email, plan) VALUES ('acc_1', 'a@example.org', 'free')`);
    await rows.rows(
      `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
       VALUES ($1, 'acc_1', $2, 'png', 1, 1, $3, encode(sha256($4), 'hex'), now())`,
      [id, objectKey, BYTES.length, BYTES],
    );
    await loadSecrets(join(dir, 'data'));
    store = await DiskObjectStore.open(join(dir, 'data', 'objects'));
    await store.put(objectKey, BYTES);
  });
  afterAll(async () => {
    await rows?.close();
    for (const database of [original, ...targets]) await database?.drop();
    if (dir !== undefined) await rm(dir, { recursive: true, force: true });
  });

  async function backUp(...options: readonly string[]): Promise<string> {
    const folder = join(dir, `backup-${(folders += 1)}`);
    const { code, output } = await admin(original, 'data', 'backup', folder, ...options);
    expect(code, output).toBe(0);
    return folder;
  }

  function admin(database: TestDatabase, data: string, ...words: readonly string[]): Promise<AdminOutcome> {
    return runAdminCommand({ DATABASE_URL: database.databaseUrl, DATA_DIR: join(dir, data) }, ...words);
  }

  /** Restores into a new database and a new folder by default. */
  async function restore(folder: string, database?: TestDatabase, data?: string): Promise<AdminOutcome> {
    const target = database ?? (await emptyDatabase());
    return admin(target, data ?? `data-${(folders += 1)}`, 'restore', folder);
  }

  async function emptyDatabase(): Promise<TestDatabase> {
    const target = await createEmptyDatabase();
    targets.push(target);
    return target;
  }

  it('restores an object list next to the original store, and counts objects missing from a new one', async () => {
    const folder = await backUp('--objects', 'list');
    const beside = await restore(folder, undefined, 'data');
    expect(beside.code, beside.output).toBe(0);
    expect(JSON.parse(beside.output)).toMatchObject({ objects: { mode: 'list', there: 1, missing: 0 } });
    const elsewhere = await restore(folder);
    expect(JSON.parse(elsewhere.output)).toMatchObject({ objects: { mode: 'list', there: 0, missing: 1 } });
  });

  it('restores into an unused database that is already migrated', async () => {
    const target = await createTestDatabase();
    targets.push(target);
    const { code, output } = await restore(await backUp(), target);
    expect(code, output).toBe(0);
    const restored = new FlowDatabase(target.databaseUrl);
    try {
      expect(await restored.rows('SELECT email FROM accounts')).toEqual([{ email: 'a@example.org' }]);
      const [disabled] = await restored.rows(
        `SELECT count(*)::int AS n FROM pg_trigger WHERE tgenabled = 'D'`,
      );
      expect(disabled).toEqual({ n: 0 });
    } finally {
      await restored.close();
    }
  });

  it('can repeat an interrupted restore, and refuses a database with accounts', async () => {
    const folder = await backUp();
    const target = await emptyDatabase();
    const accounts = join(folder, 'tables', 'accounts.copy.gz');
    const whole = await readFile(accounts);
    await writeFile(accounts, whole.subarray(0, -4));
    const broken = await restore(folder, target, 'repeated');
    expect(broken).toMatchObject({ code: 1, output: expect.stringMatching(/accounts\.copy\.gz is corrupt/) });
    await writeFile(accounts, whole);
    const repeated = await restore(folder, target, 'repeated');
    expect(repeated.code, repeated.output).toBe(0);
    const again = await restore(folder, target, 'repeated');
    expect(again).toMatchObject({ code: 1, output: expect.stringMatching(/The database has accounts/) });
  });

  it('refuses a damaged object', async () => {
    const folder = await backUp();
    const [line] = (await readFile(join(folder, 'objects.ndjson'), 'utf8')).split('\n');
    await writeFile(join(folder, 'objects.ndjson'), `${line!.replace(/"sha256":"..../, '"sha256":"0000')}\n`);
    const { code, output } = await restore(folder);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringMatching(/is corrupt/) });
  });

  it('copies everything else when an object is damaged, and lists it', async () => {
    const kept = join(dir, 'data', 'objects', 'kept', 'sources');
    const path = (await readdir(kept, { recursive: true })).find((name) => name.endsWith('.png'));
    const folder = join(dir, 'damaged');
    await writeFile(join(kept, path!), 'what a phoTo is made of');
    try {
      const made = await admin(original, 'data', 'backup', folder);
      expect(made).toMatchObject({ code: 1, output: expect.stringContaining(`1 damaged or lost object`) });
      expect(made.output).toContain(objectKey);
    } finally {
      await writeFile(join(kept, path!), BYTES);
    }
    const { code, output } = await restore(folder);
    expect(code, output).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ objects: { copied: 0, damaged: [objectKey] } });
  });

  it('copies everything else when the store has lost an object, and lists it', async () => {
    const folder = join(dir, 'lost');
    await store.delete(objectKey);
    try {
      const made = await admin(original, 'data', 'backup', folder);
      expect(made).toMatchObject({ code: 1, output: expect.stringContaining('1 damaged or lost object,') });
    } finally {
      await store.put(objectKey, BYTES);
    }
    const { objects } = JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')) as BackupManifest;
    expect(objects).toMatchObject({ count: 0, missing: 0, damaged: [objectKey] });
  });

  it('refuses to back up without keys, or the objects of another installation', async () => {
    const folder = join(dir, 'foreign');
    const withoutKeys = await admin(original, 'elsewhere', 'backup', folder);
    expect(withoutKeys).toMatchObject({
      code: 1,
      output: expect.stringContaining('does not exist. Set DATA_DIR'),
    });
    expect(existsSync(secretsPath(join(dir, 'elsewhere')))).toBe(false);
    const id = randomUUID();
    await rows.rows('INSERT INTO installation (id) VALUES ($1)', [id]);
    try {
      for (const options of [[], ['--objects', 'list']]) {
        const { code, output } = await admin(original, 'data', 'backup', folder, ...options);
        expect({ code, output }).toMatchObject({
          code: 1,
          output: expect.stringContaining('do not belong to'),
        });
      }
      expect(existsSync(folder)).toBe(false);
      await store.claimFor(id);
      expect(await backUp()).toBeDefined();
    } finally {
      await rows.rows('DELETE FROM installation');
    }
  });

  it('exits with code 1 if its keys open no sealed secret, which is the case for those of another installation', async () => {
    const { sealingKeys } = await loadSecrets(join(dir, 'data'));
    await loadSecrets(join(dir, 'foreign-keys'));
    const foreign = { DATABASE_URL: original.databaseUrl, DATA_DIR: join(dir, 'foreign-keys') };
    const seal = (id: string, keys: readonly string[]) =>
      rows.rows(
        `INSERT INTO webhook_endpoints (id, account_id, url, events, metadata, enabled, sealed_secret, previous_secrets,
           created_at, updated_at)
         VALUES ($1, 'acc_1', 'https://receiver.example/', '{*}', '{}', true, $2, '[]', now(), now())`,
        [id, new SecretBox(keys).seal('secret', id)],
      );
    try {
      await seal('we_1', sealingKeys);
      const folder = join(dir, 'foreign-backup');
      await cp(join(dir, 'data', 'objects'), join(dir, 'foreign-keys', 'objects'), { recursive: true });
      const { code, output } = await runAdminCommand(foreign, 'backup', folder);
      expect({ code, output }).toMatchObject({
        code: 1,
        output: expect.stringContaining('names keys that open none of the 1 sealed secrets'),
      });
      expect(existsSync(join(folder, 'backup.json'))).toBe(true);
      await seal('we_2', ['another key of at least 32 characters']);
      const made = await admin(original, 'data', 'backup', join(dir, 'partly-readable'));
      expect(made.code, made.output).toBe(0);
      expect(JSON.parse(made.output)).toMatchObject({ sealedSecrets: { readable: 1, unreadable: 1 } });
      // A schema from before a table of sealed values.
      await rows.rows('ALTER TABLE two_factor_secrets RENAME TO two_factor_secrets_later');
      expect(await backUp()).toBeDefined();
    } finally {
      await rows.rows('ALTER TABLE IF EXISTS two_factor_secrets_later RENAME TO two_factor_secrets');
      await rows.rows('DELETE FROM webhook_endpoints');
    }
  });

  it('holds newer objects as soon as the rows are loaded', async () => {
    const target = await createTestDatabase();
    targets.push(target);
    const restored = new FlowDatabase(target.databaseUrl);
    try {
      // Fails what follows the rows, as a kill there would.
      await restored.rows(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION ''not now''; END'`);
      await restored.rows(
        'CREATE TRIGGER refuse BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION refuse()',
      );
      const { code, output } = await restore(await backUp(), target);
      expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('not now') });
      expect(await restored.rows('SELECT email FROM accounts')).toHaveLength(1);
      expect(await restored.rows('SELECT released_at FROM restores')).toEqual([{ released_at: null }]);
    } finally {
      await restored.close();
    }
  });

  it('refuses a newer backup, a backup without a manifest, and a non-empty target folder', async () => {
    const folder = await backUp();
    const path = join(folder, 'backup.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as BackupManifest;
    expect((await stat(path)).mode & 0o077).toBe(0);
    await writeFile(path, JSON.stringify({ ...manifest, migrations: [...manifest.migrations, 'Later1'] }));
    expect((await restore(folder)).output).toMatch(
      /has the schema of a newer version of the service, with Later1/,
    );
    await rm(path);
    expect((await restore(folder)).output).toMatch(/holds no complete backup/);
    expect((await admin(original, 'data', 'backup', folder)).output).toMatch(/is not empty/);
  });

  it('tells at the backup that only a newer version can restore it', async () => {
    await rows.rows(`INSERT INTO schema_migrations (timestamp, name) VALUES (9, 'Later1')`);
    try {
      const folder = join(dir, 'after-rollback');
      const { code, output } = await admin(original, 'data', 'backup', folder);
      expect({ code, output }).toMatchObject({
        code: 0,
        output: expect.stringMatching(/has migrated the database \(Later1\)\. Only that version/) as string,
      });
      expect((await restore(folder)).output).toMatch(/schema of a newer version of the service, with Later1/);
    } finally {
      await rows.rows(`DELETE FROM schema_migrations WHERE name = 'Later1'`);
    }
  });

  it('refuses a database that a role is connected to', async () => {
    const target = await emptyDatabase();
    const url = new URL(target.databaseUrl);
    url.searchParams.set('application_name', 'ies-api');
    const folder = await backUp();
    // Not from a pool, which would close the idle connection.
    const connected = new pg.Client({ connectionString: url.href });
    await connected.connect();
    try {
      const { code, output } = await restore(folder, target);
      expect({ code, output }).toMatchObject({ code: 1, output: expect.stringMatching(/Stop the service/) });
    } finally {
      await connected.end();
    }
  });

  it('rejects invalid arguments', async () => {
    expect(await admin(original, 'data', 'backup')).toMatchObject({ code: 2 });
    expect(await admin(original, 'data', 'backup', 'x', '--objects', 'some')).toMatchObject({ code: 2 });
    expect(await admin(original, 'data', 'restores', 'hold', 'soon')).toMatchObject({ code: 2 });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect(await admin(original, 'data', 'restores', 'hold', later)).toMatchObject({ code: 2 });
  });
});
