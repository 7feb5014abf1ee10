import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MODULE = pathToFileURL(join(process.cwd(), 'scripts/lib/vitest/run-vitest.mjs')).href;

const SPECS = {
  'sound.spec.js': `it('passes', () => expect(1).toBe(1)); it.skip('is left out', () => {});`,
  'wrong.spec.js': `it('fails', () => expect(1).toBe(2));`,
  'unreadable.spec.js': `throw new Error('not a test');`,
  'deadly.spec.js': `
    it('passes', () => expect(1).toBe(1));
    it('ends the process', () => new Promise(() => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300)));
    it('never begins', () => expect(1).toBe(1));
    it.skip('is left out', () => {});`,
};

describe('the count of `npm test`', { timeout: 60_000 }, () => {
  let dir: string;
  beforeAll(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'ies-run-vitest-')));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('has every test that did not pass, and names those that did not end', () => {
    for (const [name, text] of Object.entries(SPECS)) writeFileSync(join(dir, name), text);
    const program = `const { runVitest } = await import(${JSON.stringify(MODULE)});
      console.log(JSON.stringify(await runVitest(['--root', ${JSON.stringify(dir)}, '--globals'])));`;
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')),
    );
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      env,
    });
    const lines = stdout.trim().split('\n');
    // The file that cannot be loaded counts as one.
    expect(JSON.parse(lines.at(-1)!)).toEqual({ passed: 2, failed: 4, skipped: 2 });
    const unfinished = lines.filter((line) => line.startsWith('✗ did not end: '));
    expect(unfinished.map((line) => line.split('deadly.spec.js > ')[1])).toEqual([
      'ends the process',
      'never begins',
    ]);
  });
});
