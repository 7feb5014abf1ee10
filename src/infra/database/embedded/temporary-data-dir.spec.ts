import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderOwner } from '../../storage/scratch-owner.js';
import { makeTemporaryDataDir } from './temporary-data-dir.js';

const DEAD = JSON.stringify({ ...folderOwner(), stamp: 'of a process that ended' });

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
      await writeFile(join(path, 'owner.json'), DEAD);
    }
    const first = await makeTemporaryDataDir(prefix, fallbackDir, log);
    const second = await makeTemporaryDataDir(prefix, fallbackDir, log);
    expect(first).not.toBe(second);
    expect(existsSync(first)).toBe(true);
    expect((await readdir(fallbackDir)).toSorted()).toEqual(['another-kind', `${prefix}unknown`]);
    await rm(first, { recursive: true });
    await rm(second, { recursive: true });
  });

  it('keeps what a process of another container uses, until it is a week old', async () => {
    const recent = join(fallbackDir, `${prefix}recent`);
    const old = join(fallbackDir, `${prefix}old`);
    for (const path of [recent, old]) {
      await mkdir(path);
      await writeFile(join(path, 'owner.json'), JSON.stringify({ realm: 'another', pid: 1, stamp: 'x' }));
    }
    const lastMonth = new Date(Date.now() - 30 * 86_400_000);
    await utimes(join(old, 'owner.json'), lastMonth, lastMonth);
    const made = await makeTemporaryDataDir(prefix, fallbackDir, log);
    expect(await readdir(fallbackDir)).toEqual([`${prefix}recent`]);
    await rm(made, { recursive: true });
  });
});
