import fs, { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadSecrets, prepublishKey, writeKeys } from './secrets.js';

describe('the secrets file', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-secrets-'));
  });
  afterEach(async () => rm(dataDir, { recursive: true }));

  it('is created once, readable only by its owner, even in a folder that does not exist yet', async () => {
    const folder = join(dataDir, 'new');
    const first = await loadSecrets(folder);
    expect(first.postgresPassword).toMatch(/^[\w-]{32,}$/);
    expect(first.urlSigningKeys).toEqual([expect.stringMatching(/^[\w-]{32,}$/)]);
    expect(first.sealingKeys).toEqual([expect.stringMatching(/^[\w-]{32,}$/)]);
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
    expect(await loadSecrets(folder)).toEqual(first);
  });

  it('is the same for concurrent callers, and leaves no temporary file', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => loadSecrets(dataDir)));
    expect(new Set(all.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['secrets.json']);
  });

  it.each(['EPERM', 'ENOTSUP'])('is not created if links fail with %s, and says what to do', async (code) => {
    const first = await loadSecrets(join(dataDir, 'elsewhere'));
    // As on exFAT or SMB. Not with `vi.mock`, because modules are shared between specs.
    vi.spyOn(fs, 'link').mockRejectedValue(Object.assign(new Error('link'), { code }));
    syncBuiltinESMExports();
    try {
      await expect(loadSecrets(dataDir)).rejects.toThrow(
        /secrets\.json cannot be created, because its file system has no hard links\. Set SEALING_KEY and/,
      );
      expect(await readdir(dataDir)).toEqual(['elsewhere']);
      expect(await loadSecrets(join(dataDir, 'elsewhere'))).toEqual(first);
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
  });

  it('gets a missing key if it is older, and keeps everything else', async () => {
    const path = join(dataDir, 'secrets.json');
    const older = { postgresPassword: 'p'.repeat(32), urlSigningKey: 'u'.repeat(43), other: 'kept' };
    await writeFile(path, JSON.stringify(older), { mode: 0o600 });
    const all = await Promise.all(Array.from({ length: 20 }, () => loadSecrets(dataDir)));
    expect(new Set(all.map(({ sealingKeys }) => sealingKeys[0])).size).toBe(1);
    const kept = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
    expect(kept).toEqual({ ...older, sealingKey: all[0]!.sealingKeys[0] });
    expect(kept['sealingKey']).toMatch(/^[\w-]{43}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['secrets.json']);
  });

  it('is refused if its newer key is damaged, which is not generated again', async () => {
    const damaged = { postgresPassword: 'p'.repeat(32), urlSigningKey: 'u'.repeat(43), sealingKey: '' };
    await writeFile(join(dataDir, 'secrets.json'), JSON.stringify(damaged));
    await expect(loadSecrets(dataDir)).rejects.toThrow(/"sealingKey" is missing or too short/);
  });

  it('gets new keys of one kind, keeps the rest, and stays readable only by its owner', async () => {
    const first = await loadSecrets(dataDir);
    const at = new Date('2030-01-02T03:04:05.000Z');
    const path = join(dataDir, 'secrets.json');
    await writeKeys(dataDir, 'sealingKey', ['n'.repeat(43), ...first.sealingKeys], at);
    expect(await loadSecrets(dataDir)).toEqual({
      ...first,
      sealingKeys: ['n'.repeat(43), ...first.sealingKeys],
      rotatedAt: { sealingKey: at.toISOString() },
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await writeKeys(dataDir, 'sealingKey', ['n'.repeat(43)], at);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ sealingKey: 'n'.repeat(43) });
    expect(await readdir(dataDir)).toEqual(['secrets.json']);
  });

  it('marks a new key that is not used yet, until it is the first one', async () => {
    const first = await loadSecrets(dataDir);
    const key = 'n'.repeat(43);
    await prepublishKey(dataDir, 'urlSigningKey', key);
    expect(await loadSecrets(dataDir)).toEqual({
      ...first,
      urlSigningKeys: [...first.urlSigningKeys, key],
      prepublished: ['urlSigningKey'],
    });
    await writeKeys(dataDir, 'urlSigningKey', [key, ...first.urlSigningKeys], new Date());
    expect((await loadSecrets(dataDir)).prepublished).toEqual([]);
  });

  it.each([[[]], [['short']], [['k'.repeat(32), 7]]])(
    'is refused with a damaged list of keys: %j',
    async (list) => {
      const damaged = { postgresPassword: 'p'.repeat(32), urlSigningKey: list, sealingKey: 's'.repeat(43) };
      await writeFile(join(dataDir, 'secrets.json'), JSON.stringify(damaged));
      await expect(loadSecrets(dataDir)).rejects.toThrow(/"urlSigningKey" is missing or too short/);
    },
  );

  it.each(['', '{"postgresPassword":"short"}', 'null'])(
    'is refused if it is damaged: %j',
    async (content) => {
      await writeFile(join(dataDir, 'secrets.json'), content);
      await expect(loadSecrets(dataDir)).rejects.toThrow(/is damaged/);
    },
  );
});
