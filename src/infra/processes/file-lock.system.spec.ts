import { execFile, fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canUnshare, OTHER_CONTAINER } from './testing/other-container.js';
import { FileLock, withFileLock } from './file-lock.mjs';

const MODULE = new URL('./file-lock.mjs', import.meta.url).href;

/** Appends a line at its start and one at its end, with enough time between them for another process to interfere. */
const PROGRAM = `
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withFileLock } from '${MODULE}';
const [path, log] = process.argv.slice(2);
await withFileLock(path, () => undefined, async () => {
  appendFileSync(log, 'begin ' + process.pid + '\\n');
  await sleep(50);
  appendFileSync(log, 'end ' + process.pid + '\\n');
});
`;

describe('FileLock', () => {
  let path: string;
  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), 'ies-file-lock-')), 'lock');
  });
  afterEach(() => rmSync(join(path, '..'), { recursive: true }));

  function tryInOtherContainer(): Promise<unknown> {
    const code = `
      import { FileLock } from '${MODULE}';
      const found = await FileLock.tryAcquire(${JSON.stringify(path)});
      console.log(JSON.stringify(found instanceof FileLock ? 'acquired' : found));`;
    const command = [...OTHER_CONTAINER, process.execPath, '--input-type=module', '-e', code];
    return new Promise((resolve, reject) => {
      execFile('unshare', command, (error, stdout) =>
        error === null ? resolve(JSON.parse(stdout)) : reject(error),
      );
    });
  }

  it.skipIf(!canUnshare)('is refused to another container while its holder lives', async () => {
    const lock = await FileLock.tryAcquire(path);
    expect(await tryInOtherContainer()).toEqual({ pid: process.pid, isElsewhere: true });
    (lock as FileLock).release();
    expect(await tryInOtherContainer()).toBe('acquired');
  });

  it('is refused while a process that is not visible here touches it', async () => {
    writeFileSync(path, JSON.stringify({ realm: 'another container', pid: 7, stamp: 'x' }));
    const heartbeat = setInterval(() => utimesSync(path, new Date(), new Date()), 100);
    try {
      expect(await FileLock.tryAcquire(path)).toEqual({ pid: 7, isElsewhere: true });
    } finally {
      clearInterval(heartbeat);
    }
  });

  it('is acquired by one of many when a process that is not visible here has been silent', async () => {
    writeFileSync(path, JSON.stringify({ realm: 'another container', pid: process.pid, stamp: 'x' }));
    const waitsMs: number[] = [];
    const onWait = (silentMs: number): void => void waitsMs.push(silentMs);
    const found = await Promise.all(
      Array.from({ length: 4 }, () => FileLock.tryAcquire(path, { silentMs: 500, onWait })),
    );
    expect(found.filter((each) => each instanceof FileLock)).toHaveLength(1);
    expect(waitsMs[0]).toBe(500);
    for (const each of found) {
      if (each instanceof FileLock) each.release();
      else expect(each).toEqual({ pid: process.pid, isElsewhere: false });
    }
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });
});

describe('FileLock, while it is held', () => {
  let path: string;
  beforeEach(() => {
    path = join(mkdtempSync(join(tmpdir(), 'ies-file-lock-')), 'lock');
  });
  afterEach(() => rmSync(join(path, '..'), { recursive: true }));

  it('reports once that another process has replaced it, and leaves that lock alone', async () => {
    let losses = 0;
    const lock = await FileLock.tryAcquire(path, { onLost: () => (losses += 1) });
    writeFileSync(path, 'of another process');
    await expect.poll(() => losses, { timeout: 10_000 }).toBe(1);
    (lock as FileLock).release();
    expect(readFileSync(path, 'utf8')).toBe('of another process');
  });
});

describe('withFileLock', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ies-file-lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('lets one process work at a time', async () => {
    const [program, path, log] = ['program.mjs', 'lock', 'log'].map((name) => join(folder, name));
    writeFileSync(program!, PROGRAM);
    const codes = Array.from({ length: 5 }, () => {
      const child = fork(program!, [path!, log!], { execArgv: [] });
      return new Promise((resolve) => child.once('exit', resolve));
    });
    expect(await Promise.all(codes)).toEqual([0, 0, 0, 0, 0]);
    const lines = readFileSync(log!, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(10);
    for (let at = 0; at < lines.length; at += 2)
      expect(lines[at + 1]).toBe(lines[at]!.replace('begin', 'end'));
    expect(readdirSync(folder).toSorted()).toEqual(['log', 'program.mjs']);
  });

  it.each([
    ['a dead process', JSON.stringify({ pid: 1, stamp: 'another boot' })],
    ['nobody knows whom', '12'],
  ])('takes over the lock of %s', async (_, content) => {
    const path = join(folder, 'lock');
    writeFileSync(path, content);
    const said: string[] = [];
    let hasWorked = false;
    await withFileLock(
      path,
      (text) => said.push(text),
      () => {
        hasWorked = true;
      },
    );
    expect({ hasWorked, said, left: readdirSync(folder) }).toEqual({ hasWorked: true, said: [], left: [] });
  });

  it('names the living process that it waits for, and releases the lock after a failure', async () => {
    const path = join(folder, 'lock');
    const said: string[] = [];
    const say = (text: string): void => void said.push(text);
    let second: Promise<void> | undefined;
    const first = withFileLock(path, say, async () => {
      second = withFileLock(path, say, () => undefined);
      await expect.poll(() => said.length).toBe(1);
      throw new Error('no luck');
    });
    await expect(first).rejects.toThrow('no luck');
    await second;
    expect(said).toEqual([`Waiting for another setup (pid ${process.pid}) to end …`]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
