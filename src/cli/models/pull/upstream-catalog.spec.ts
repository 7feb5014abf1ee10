import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUpstream } from './upstream-catalog.js';

describe('readUpstream', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'upstream-catalog-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('says that an entry without a hash has null in its place', async () => {
    const { models } = JSON.parse(await readFile('models/upstream.json', 'utf8')) as {
      models: { file: { sha256?: string | null } }[];
    };
    const path = join(folder, 'upstream.json');
    models[1]!.file.sha256 = null;
    await writeFile(path, JSON.stringify({ models }));
    expect(await readUpstream(path)).toHaveLength(models.length);
    delete models[1]!.file.sha256;
    await writeFile(path, JSON.stringify({ models }));
    await expect(readUpstream(path)).rejects.toThrow(
      `In the catalog ${path} models.1.file.sha256 must be 64 lowercase hex digits, or null, missing.`,
    );
  });
});
