import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Scratch } from './scratch.js';
import { folderOwner, isOwnerGone } from './scratch-owner.js';

/** A number that was a process a moment ago. */
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

  it('gives each piece of work a folder of its own, and leaves nothing', async () => {
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

  it('removes what a process that was killed has left, and nothing of the living', async () => {
    const own = folderOwner();
    const living = await folderOf(own);
    const killed = await folderOf({ ...own, pid: deadPid() });
    // The number of a living process, in the hands of another one before.
    const reused = await folderOf({ ...own, stamp: 'an earlier life' });
    await (await Scratch.open(root)).close();
    expect(existsSync(living)).toBe(true);
    expect([killed, reused].filter((dir) => existsSync(dir))).toEqual([]);
  });

  it('gives processes that cannot be seen from here ten minutes', async () => {
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

  it('judges no owner by a text that says nothing', () => {
    expect(isOwnerGone('{"realm"')).toBeUndefined();
    expect(isOwnerGone('null')).toBeUndefined();
    expect(isOwnerGone(JSON.stringify(folderOwner()))).toBe(false);
  });
});
