import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSecrets } from './secrets.js';

describe('loadSecrets', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-secrets-'));
  });
  afterEach(async () => rm(dataDir, { recursive: true }));

  it('makes them once, for the owner only, also in a folder that does not exist yet', async () => {
    const folder = join(dataDir, 'new');
    const first = await loadSecrets(folder);
    expect(first.postgresPassword).toMatch(/^[\w-]{32,}$/);
    expect(first.urlSigningKey).toMatch(/^[\w-]{32,}$/);
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
    expect(await loadSecrets(folder)).toEqual(first);
  });

  it('gives everyone who asks at once the same ones and leaves no draft', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => loadSecrets(dataDir)));
    expect(new Set(all.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['secrets.json']);
  });

  it.each(['', '{"postgresPassword":"short"}', 'null'])('refuses a damaged file: %j', async (content) => {
    await writeFile(join(dataDir, 'secrets.json'), content);
    await expect(loadSecrets(dataDir)).rejects.toThrow(/is damaged/);
  });
});
