import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataDirLock } from './data-dir-lock.js';
import { StartError } from '../roles/start-error.js';

const hasFlock = spawnSync('flock', ['--version']).status === 0;

describe('DataDirLock', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-lock-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  function leaveLockOfOtherContainer(): string {
    const path = join(dataDir, 'supervisor.lock');
    writeFileSync(path, JSON.stringify({ realm: 'another container', pid: 7, stamp: 'x' }));
    return path;
  }

  /** An acquisition that waits for another container. */
  async function waiting(): Promise<{ acquired: Promise<DataDirLock>; stop: AbortController }> {
    leaveLockOfOtherContainer();
    const stop = new AbortController();
    const said: string[] = [];
    const say = (text: string): void => void said.push(text);
    const acquired = DataDirLock.acquire(dataDir, { say, signal: stop.signal });
    await expect.poll(() => said).toHaveLength(1);
    return { acquired, stop };
  }

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

  it('names another container as the holder', async () => {
    const path = leaveLockOfOtherContainer();
    const heartbeat = setInterval(() => utimesSync(path, new Date(), new Date()), 100);
    try {
      await expect(DataDirLock.acquire(dataDir)).rejects.toThrow(
        `The service already runs on ${dataDir}, in another container or on another machine. Run commands there`,
      );
    } finally {
      clearInterval(heartbeat);
    }
  });

  it.runIf(hasFlock)('is refused while a paused container without a heartbeat holds it', async () => {
    const lock = await DataDirLock.acquire(dataDir);
    leaveLockOfOtherContainer();
    await expect(DataDirLock.acquire(dataDir, { silentMs: 300 })).rejects.toThrow('in another container');
    lock.release();
    const said: string[] = [];
    const say = (text: string): void => void said.push(text);
    (await DataDirLock.acquire(dataDir, { say, silentMs: 300 })).release();
    expect(said).toEqual([`checking for up to 0.3 s whether another container uses ${dataDir}`]);
  });

  it('stops waiting when it is aborted, and leaves nothing', async () => {
    const { acquired, stop } = await waiting();
    // A process that is killed now leaves no draft.
    expect(readdirSync(dataDir).toSorted()).toEqual(['supervisor.lock', 'supervisor.waiting']);
    stop.abort();
    await expect(acquired).rejects.toBe(stop.signal.reason);
    expect(readdirSync(dataDir)).toEqual(['supervisor.lock']);
  });

  it.runIf(hasFlock)('tells a second start that another one waits, unless that one was killed', async () => {
    const { acquired, stop } = await waiting();
    await expect(DataDirLock.acquire(dataDir)).rejects.toThrow(
      `Another start (pid ${process.pid}) is checking whether another container uses ${dataDir}`,
    );
    writeFileSync(join(dataDir, 'supervisor.waiting'), JSON.stringify({ pid: 1, stamp: 'another boot' }));
    await expect(DataDirLock.acquire(dataDir)).rejects.toThrow('in another container');
    stop.abort();
    await expect(acquired).rejects.toBe(stop.signal.reason);
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
