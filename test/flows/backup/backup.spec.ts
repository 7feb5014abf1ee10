import { createHash } from 'node:crypto';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BackupManifest } from '../../../src/cli/backup/backup-manifest.js';
import { loadSecrets } from '../../../src/config/secrets/secrets.js';
import { SecretBox } from '../../../src/infra/sealing/secret-box.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { runAdminCommand } from '../../support/roles/admin-command.js';
import { FlowClient } from '../../support/roles/flow-client.js';
import { FlowService } from '../../support/roles/flow-service.js';

const ORDER = { operation: 'upscale', level: 'low' } as const;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a backup of a running service', () => {
  let dir: string;
  let before: FlowService;
  let after: FlowService | undefined;
  let target: TestDatabase;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'ies-backup-'));
    target = await createEmptyDatabase();
    before = await FlowService.start({ models: ['upscale'] });
  });
  afterAll(async () => {
    await after?.close();
    await before?.close();
    await target?.drop();
    if (dir !== undefined) await rm(dir, { recursive: true, force: true });
  });

  it('can be restored into an empty database and folder with every photo and result intact', async () => {
    const client = await before.client();
    await before.database.listen();
    await sealEndpoint(before);
    const photos = new Map<string, string>();
    const results = new Map<string, string>();
    for (const color of [10, 120, 230]) {
      const source = await client.upload(await solidFile(24, 16, [color, 90, 60]));
      photos.set(source.id, source.sha256);
      const { job, bytes } = await client.enhanceSource(source.url, ORDER);
      results.set(job.id, sha256(bytes));
    }
    await before.stopRole('worker');
    const unused = await client.upload(await solidFile(24, 16, [1, 2, 3]));
    photos.set(unused.id, unused.sha256);
    const queued = await client.create(unused.url, ORDER);
    // On its last attempt when the backup is made.
    await before.database.rows(
      `UPDATE jobs SET status = 'processing', attempts = 2, lease_token = 'gone', started_at = now(),
              lease_expires_at = now() + interval '1 hour' WHERE id = $1`,
      [queued.id],
    );

    const folder = join(dir, 'backup');
    const source = { DATABASE_URL: before.databaseUrl, DATA_DIR: before.dataDir };
    const made = await runAdminCommand(source, 'backup', folder);
    expect(made.code, made.output).toBe(0);
    expect(JSON.parse(made.output)).toMatchObject({ objects: { mode: 'copy', missing: 0 } });
    const later = await client.upload(await solidFile(24, 16, [4, 5, 6]));
    const manifest = JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')) as BackupManifest;
    await expectNoSecrets(folder, [...(await secretsOf(before.dataDir)), client.account.key]);
    expect(manifest.secrets.map(({ name }) => name)).toEqual(['SEALING_KEY', 'URL_SIGNING_KEY']);

    const dataDir = join(dir, 'data');
    await cp(join(before.dataDir, 'secrets.json'), join(dataDir, 'secrets.json'));
    const place = { DATABASE_URL: target.databaseUrl, DATA_DIR: dataDir };
    const restored = await runAdminCommand(place, 'restore', folder);
    expect(restored.code, restored.output).toBe(0);
    expect(JSON.parse(restored.output)).toMatchObject({
      snapshotAt: manifest.snapshotAt,
      objects: { mode: 'copy', copied: manifest.objects.count, missing: 0 },
      sealedSecrets: { readable: 1, unreadable: 0 },
    });

    after = await FlowService.start({
      databaseUrl: target.databaseUrl,
      models: ['upscale'],
      env: { DATA_DIR: dataDir },
    });
    const reader = new FlowClient(after.baseUrl, client.account.key);
    const done = await reader.completed(queued.id);
    results.set(queued.id, sha256(await reader.bytesAt(done.resultUrl!)));
    const jobs = (await reader.request('GET', '/api/ai/enhance?limit=50')).json['data'];
    const read = (jobs as { id: string; resultUrl: string }[]).map(
      async ({ id, resultUrl }) => [id, sha256(await reader.bytesAt(resultUrl))] as const,
    );
    expect(new Map(await Promise.all(read))).toEqual(results);
    const sources = (await reader.request('GET', '/api/ai/sources?limit=50')).json['data'];
    const seen = (sources as { id: string; url: string }[]).map(
      async ({ id, url }) => [id, sha256(await reader.bytesAt(url))] as const,
    );
    expect(new Map(await Promise.all(seen))).toEqual(photos);
    expect(photos.has(later.id)).toBe(false);
    for (const id of results.keys()) expect(await after.database.ledger(id)).toEqual(['commit', 'reserve']);
    expect((await reader.usage()).enhancements.used).toBe(results.size);
    await reader.enhance(await solidFile(24, 16, [7, 8, 9]), ORDER);

    const listed = await runAdminCommand(place, 'restores', 'list');
    expect(JSON.parse(listed.output)).toMatchObject([
      { snapshotAt: manifest.snapshotAt, newerObjects: 'held' },
    ]);
    const audited = await runAdminCommand(place, 'audit', '--action', 'restore');
    expect(JSON.parse(audited.output)).toMatchObject([{ action: 'restore.completed' }]);
  });

  it('fails when a result is not that of its row, whether its size or only its content differs', async () => {
    const kept = join(before.dataDir, 'objects/kept/results');
    const names = (await readdir(kept, { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    );
    const [longer, changed] = names.map(({ parentPath, name }) => join(parentPath, name));
    await appendFile(longer!, 'x');
    const bytes = await readFile(changed!);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(changed!, bytes);
    const folder = join(dir, 'damaged');
    const source = { DATABASE_URL: before.databaseUrl, DATA_DIR: before.dataDir };
    expect(await runAdminCommand(source, 'backup', folder)).toMatchObject({ code: 1 });
    const { objects } = JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')) as BackupManifest;
    const damaged = [longer!, changed!].map((path) => `results/${basename(path)}`);
    expect(objects.damaged!.toSorted()).toEqual(damaged.toSorted());
  });
});

/** Gives the only endpoint a secret that the keys of the service open. */
async function sealEndpoint({ database, dataDir }: FlowService): Promise<void> {
  const [endpoint] = await database.rows<{ id: string }>('SELECT id FROM webhook_endpoints');
  const sealed = new SecretBox((await loadSecrets(dataDir)).sealingKeys).seal('secret', endpoint!.id);
  await database.rows('UPDATE webhook_endpoints SET sealed_secret = $1', [sealed]);
}

async function secretsOf(dataDir: string): Promise<readonly string[]> {
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as object;
  return Object.values(secrets)
    .flat()
    .filter((value) => typeof value === 'string');
}

async function expectNoSecrets(folder: string, secrets: readonly string[]): Promise<void> {
  expect(secrets.length).toBeGreaterThan(2);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('json')) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    for (const secret of secrets) expect(text.includes(secret), entry.name).toBe(false);
  }
}
