import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const MODULE = join(import.meta.dirname, '../../../scripts/lib/vitest/memory-dir.mjs');

/** Runs it in a process of its own. @returns the folder and the process's ID, or undefined without a folder */
function make(env: Readonly<Record<string, string>>): { dir: string; pid: number } | undefined {
  const program = `import(${JSON.stringify(MODULE)}).then(({ makeMemoryDir }) => process.stdout.write(makeMemoryDir() ?? ''))`;
  const { TMPDIR: _, ...inherited } = process.env;
  const { stdout, stderr, status, pid } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    env: { ...inherited, ...env },
  });
  expect(status, stderr).toBe(0);
  return stdout === '' ? undefined : { dir: stdout, pid };
}

const first = make({});
if (first !== undefined) rmSync(first.dir, { recursive: true });

describe('the folder in memory for the temporary files of a run', () => {
  const made: string[] = [];
  afterEach(() => {
    for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
  });

  it('is not created where TMPDIR names another one', () => {
    expect(make({ TMPDIR: '/tmp' })).toBeUndefined();
  });

  describe.skipIf(first === undefined)('(needs 2 GiB of free space in /dev/shm and 8 GiB of memory)', () => {
    it('is open to every user, as /tmp is, and belongs to one process', () => {
      const { dir, pid } = make({})!;
      made.push(dir);
      expect(dir).toMatch(new RegExp(`^/dev/shm/ies-run-${pid}-\\w+$`));
      expect(statSync(dir).mode & 0o7777).toBe(0o1777);
    });

    it.skipIf(process.geteuid?.() !== 0)('leaves alone what another user has created (needs root)', () => {
      const foreign = join(dirname(first!.dir), 'ies-run-4194304-foreign');
      mkdirSync(foreign);
      made.push(foreign);
      chownSync(foreign, 65_534, 65_534);
      made.push(make({})!.dir);
      expect(existsSync(foreign)).toBe(true);
    });

    it('removes the folder of a killed run, and no other', () => {
      const killed = make({})!;
      // Its process, which is this one, still runs.
      const used = join(dirname(killed.dir), `ies-run-${process.pid}-used`);
      mkdirSync(used);
      const next = make({})!;
      made.push(killed.dir, used, next.dir);
      expect([killed.dir, used, next.dir].map((dir) => existsSync(dir))).toEqual([false, true, true]);
    });
  });
});
