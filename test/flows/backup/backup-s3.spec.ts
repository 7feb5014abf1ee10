import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openObjects } from '../../../src/cli/backup/open-objects.js';
import { readConfig } from '../../../src/config/env.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { runAdminCommand } from '../../support/roles/admin-command.js';
import { FlowClient } from '../../support/roles/flow-client.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { S3Server } from '../../support/storage/s3-server.js';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
/** Both installations share these keys. */
const KEYS = { URL_SIGNING_KEY: 's'.repeat(40), SEALING_KEY: 'k'.repeat(40) };

describe('a backup of a service with objects in S3', () => {
  let dir: string;
  let server: S3Server;
  let before: FlowService;
  let after: FlowService | undefined;
  const targets: TestDatabase[] = [];
  /** SHA-256 of photos and results by id. */
  const photos = new Map<string, string>();
  const results = new Map<string, string>();
  let key: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'ies-backup-s3-'));
    server = await S3Server.start();
    before = await FlowService.start({
      env: { ...KEYS, ...server.environment() },
      roles: ['api', 'worker'],
    });
    const client = await before.client();
    key = client.account.key;
    const source = await client.upload(await solidFile(24, 16, [10, 90, 60]));
    photos.set(source.id, source.sha256);
    const { job, bytes } = await client.enhanceSource(source.url, { operation: 'auto_enhance' });
    results.set(job.id, sha256(bytes));
    await before.stopRole('worker');
  });
  afterAll(async () => {
    await after?.close();
    await before?.close();
    await server?.close();
    for (const target of targets) await target.drop();
    if (dir !== undefined) await rm(dir, { recursive: true, force: true });
  });

  /** What an admin command needs to know about the service. */
  const place = (databaseUrl: string, prefix?: string): Readonly<Record<string, string>> => ({
    ...KEYS,
    ...server.environment(server.url, prefix),
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(dir, 'data'),
  });

  async function backUp(folder: string, ...options: readonly string[]): Promise<void> {
    const made = await runAdminCommand(place(before.databaseUrl), 'backup', folder, ...options);
    expect(made.code, made.output).toBe(0);
  }

  async function restore(folder: string, prefix?: string): Promise<string> {
    const target = await createEmptyDatabase();
    targets.push(target);
    const restored = await runAdminCommand(place(target.databaseUrl, prefix), 'restore', folder);
    expect(restored.code, restored.output).toBe(0);
    return target.databaseUrl;
  }

  /** Reads every photo and result through a new api. */
  async function expectEverything(databaseUrl: string, prefix?: string): Promise<void> {
    const env = { ...KEYS, ...server.environment(server.url, prefix) };
    after = await FlowService.start({ databaseUrl, env, roles: ['api'] });
    const reader = new FlowClient(after.baseUrl, key);
    for (const [path, field, expected] of [
      ['/api/ai/sources?limit=50', 'url', photos],
      ['/api/ai/enhance?limit=50', 'resultUrl', results],
    ] as const) {
      const rows = (await reader.request('GET', path)).json['data'] as Record<string, string>[];
      const read = rows.map(async (row) => [row['id']!, sha256(await reader.bytesAt(row[field]!))] as const);
      expect(new Map(await Promise.all(read))).toEqual(expected);
    }
    await after.close();
    after = undefined;
  }

  it('that includes the objects can be restored under another prefix', async () => {
    const folder = join(dir, 'copy');
    await backUp(folder);
    expect(await readdir(folder)).toContain('objects');
    await expectEverything(await restore(folder, 'elsewhere'), 'elsewhere');
  });

  it('waits for a store that is down', async () => {
    const folder = join(dir, 'patient');
    await server.cut();
    const making = backUp(folder);
    // The list is created with the first object.
    await expect.poll(() => existsSync(join(folder, 'objects.ndjson'))).toBe(true);
    await server.mend();
    await making;
  });

  it('that lists the objects can be restored next to them, and keeps newer objects', async () => {
    const folder = join(dir, 'list');
    await backUp(folder, '--objects', 'list');
    expect(await readdir(folder)).not.toContain('objects');
    const client = new FlowClient(before.baseUrl, key);
    const later = await client.upload(await solidFile(24, 16, [4, 5, 6]));
    const databaseUrl = await restore(folder);
    await expectEverything(databaseUrl);
    const listed = await runAdminCommand(place(databaseUrl), 'restores', 'list');
    expect(JSON.parse(listed.output)).toMatchObject([{ newerObjects: 'held' }]);
    expect(sha256(await client.bytesAt(later.url))).toBe(later.sha256);
  });

  it('waits for a store that is down when it asks which installation it belongs to', async () => {
    const id = randomUUID();
    const environment = place(before.databaseUrl);
    Object.assign(process.env, server.credentials);
    await (await openObjects(readConfig(environment))).claimFor(id);
    await before.database.rows('INSERT INTO installation (id) VALUES ($1)', [id]);
    await server.cut();
    const making = backUp(join(dir, 'paired'));
    const connections = () =>
      before.database.rows(`SELECT FROM pg_stat_activity WHERE application_name = 'ies-backup'`);
    await expect.poll(connections).toHaveLength(1);
    await server.mend();
    await making;
  });
});
