import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Scratch } from './scratch.js';
import { folderOwner, isOwnerGone } from './scratch-owner.js';

/** The pid of a process that has just exited. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '0']).pid;

describe('Scratch', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'scratch-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function folderOf(owner: object | string, ageMs = 0): Promise<string> {
    const dir = join(root, `left-${Math.random()}`);
    await mkdir(join(dir, 'job-1'), { recursive: true });
    await writeFile(join(dir, 'job-1', 'source.v'), 'pixels');
    if (owner !== '') await writeFile(join(dir, 'owner.json'), JSON.stringify(owner));
    const at = new Date(Date.now() - ageMs);
    await utimes(dir, at, at);
    return dir;
  }

  it('gives each task its own folder, and leaves nothing behind', async () => {
    const scratch = await Scratch.open(root);
    const [first, second] = [scratch.room('first'), scratch.room('second')];
    await Promise.all([first.make(), second.make()]);
    await writeFile(first.path('a'), 'x');
    await writeFile(second.path('a'), 'y');
    await first.remove();
    expect(existsSync(first.path('a'))).toBe(false);
    expect(existsSync(second.path('a'))).toBe(true);
    await first.remove();
    await scratch.close();
    expect(await readdir(root)).toEqual([]);
  });

  it('removes what a killed process left, and nothing of living ones', async () => {
    const own = folderOwner();
    const living = await folderOf(own);
    const killed = await folderOf({ ...own, pid: deadPid() });
    // The pid of a living process that belonged to another process before.
    const reused = await folderOf({ ...own, stamp: 'an earlier life' });
    await (await Scratch.open(root)).close();
    expect(existsSync(living)).toBe(true);
    expect([killed, reused].filter((dir) => existsSync(dir))).toEqual([]);
  });

  it('gives processes that it cannot see ten minutes', async () => {
    const foreign = { ...folderOwner(), realm: 'another machine' };
    const folders = {
      heard: await folderOf(foreign, 60_000),
      silent: await folderOf(foreign, 11 * 60_000),
      starting: await folderOf('', 1_000),
      endedAtStart: await folderOf('', 11 * 60_000),
    };
    await (await Scratch.open(root)).close();
    const kept = Object.entries(folders).filter(([, dir]) => existsSync(dir));
    expect(kept.map(([name]) => name)).toEqual(['heard', 'starting']);
  });

  it('does not judge an owner by an unreadable file', () => {
    expect(isOwnerGone('{"realm"')).toBeUndefined();
    expect(isOwnerGone('null')).toBeUndefined();
    expect(isOwnerGone(JSON.stringify(folderOwner()))).toBe(false);
  });
});
