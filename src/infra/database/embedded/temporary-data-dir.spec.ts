import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryDataDir } from './temporary-data-dir.js';

describe('makeTemporaryDataDir', () => {
  const prefix = `ies-kind-${process.pid}-`;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  let fallbackDir: string;
  beforeEach(async () => {
    fallbackDir = await mkdtemp(join(tmpdir(), 'ies-fallback-'));
  });
  afterEach(async () => {
    await chmod(fallbackDir, 0o700);
    await rm(fallbackDir, { recursive: true });
  });

  it('removes what dead processes left, and nothing of living or unknown owners', async () => {
    const dead = join(fallbackDir, `${prefix}dead`);
    const unknown = join(fallbackDir, `${prefix}unknown`);
    const other = join(fallbackDir, 'another-kind');
    for (const path of [dead, unknown, other]) await mkdir(path);
    for (const path of [dead, other]) {
      await writeFile(join(path, 'owner.json'), JSON.stringify({ pid: 1, stamp: 'an earlier boot' }));
    }
    const first = await makeTemporaryDataDir(prefix, fallbackDir, log);
    const second = await makeTemporaryDataDir(prefix, fallbackDir, log);
    expect(first).not.toBe(second);
    expect(existsSync(first)).toBe(true);
    expect((await readdir(fallbackDir)).toSorted()).toEqual(['another-kind', `${prefix}unknown`]);
    await rm(first, { recursive: true });
    await rm(second, { recursive: true });
  });
});
