import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restrictDataDir } from './private-data-dir.js';

describe('restrictDataDir', () => {
  let dataDir: string;
  let outside: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-private-'));
    outside = await mkdtemp(join(tmpdir(), 'ies-outside-'));
    await chmod(dataDir, 0o755);
  });
  afterEach(async () => {
    for (const folder of [dataDir, outside]) await rm(folder, { recursive: true, force: true });
  });

  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

  async function file(name: string, mode: number): Promise<string> {
    const path = join(dataDir, name);
    await writeFile(path, 'x');
    await chmod(path, mode);
    return path;
  }

  async function makeFolder(name: string, mode: number): Promise<string> {
    const path = join(dataDir, name);
    await mkdir(path);
    await chmod(path, mode);
    return path;
  }

  it('removes the permissions of group and others from files, folders, and logs', async () => {
    const files = [await file('postgres.json', 0o644), await file('supervisor.lock', 0o664)];
    const folders = [await makeFolder('logs', 0o755), await makeFolder('objects', 0o750)];
    files.push(await file('logs/postgres.log', 0o644));
    expect(await restrictDataDir(dataDir)).toEqual([]);
    expect(await Promise.all(files.map(modeOf))).toEqual(['600', '600', '600']);
    expect(await Promise.all(folders.map(modeOf))).toEqual(['700', '700']);
    expect(await modeOf(dataDir)).toBe(process.getuid!() === 0 ? '711' : '700');
  });

  it('leaves the cluster, closed files, and the targets of links unchanged', async () => {
    const cluster = await makeFolder('postgres', 0o750);
    const closed = await file('secrets.json', 0o400);
    const target = join(outside, 'open');
    await writeFile(target, 'x');
    await chmod(target, 0o644);
    await symlink(target, join(dataDir, 'link'));
    expect(await restrictDataDir(dataDir)).toEqual([]);
    expect(await Promise.all([cluster, closed, target].map(modeOf))).toEqual(['750', '400', '644']);
  });
});
