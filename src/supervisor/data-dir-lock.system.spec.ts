import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataDirLock } from './data-dir-lock.js';
import { StartError } from './start-error.js';

describe('DataDirLock', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-lock-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('has one holder at a time, and is free again after release', async () => {
    const folder = join(dataDir, 'new');
    const lock = await DataDirLock.acquire(folder);
    await expect(DataDirLock.acquire(folder)).rejects.toThrow(
      `The service already runs on ${folder} (pid ${process.pid})`,
    );
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
    (await DataDirLock.acquire(folder)).release();
  });

  it('is acquired by exactly one of many when its holder is dead', async () => {
    const dead = JSON.stringify({ pid: 1, stamp: 'another boot' });
    for (let round = 0; round < 50; round += 1) {
      writeFileSync(join(dataDir, 'supervisor.lock'), round % 2 === 0 ? dead : 'damaged');
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => DataDirLock.acquire(dataDir)));
      const winners = results.filter((result) => result.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StartError);
      }
      winners[0]?.value.release();
      expect(readdirSync(dataDir)).toEqual([]);
    }
  });

  it('reports when the folder cannot be created', async () => {
    writeFileSync(join(dataDir, 'file'), '');
    await expect(DataDirLock.acquire(join(dataDir, 'file'))).rejects.toThrow(/cannot be written/);
  });

  it('does not remove the lock of another holder at release', async () => {
    const lock = await DataDirLock.acquire(dataDir);
    writeFileSync(join(dataDir, 'supervisor.lock'), 'another');
    lock.release();
    expect(existsSync(join(dataDir, 'supervisor.lock'))).toBe(true);
  });
});
