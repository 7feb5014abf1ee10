import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MODULE = pathToFileURL(join(process.cwd(), 'scripts/lib/vitest/run-vitest.mjs')).href;

const SOUND = `it('passes', () => expect(1).toBe(1)); it.skip('is left out', () => {});`;
const WRONG = `it('fails', () => expect(1).toBe(2));`;

describe('the test count of `npm test`', () => {
  let dir: string;
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'ies-run-vitest-')));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('includes every test that did not pass, and names those that did not end', () => {
    const { counts, lines } = run('runVitest', {
      'sound.spec.js': SOUND,
      'wrong.spec.js': WRONG,
      'unreadable.spec.js': `throw new Error('not a test');`,
      'deadly.spec.js': `
        it('passes', () => expect(1).toBe(1));
        it('ends the process', () => new Promise(() => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300)));
        it('never begins', () => expect(1).toBe(1));
        it.skip('is left out', () => {});`,
    });
    // A file that cannot be loaded counts as one failure.
    expect(counts).toEqual({ passed: 2, failed: 4, skipped: 2 });
    expect(namesAfter('✗ did not end: ', lines)).toEqual(['ends the process', 'never begins']);
  });

  it('reports an error outside of tests as a failure of its file', () => {
    const { counts } = run('runVitest', {
      'late.spec.js': `it('passes', () => void setTimeout(() => { throw new Error('too late'); }));
        it('waits', () => new Promise((resolve) => setTimeout(resolve, 200)));`,
    });
    expect(counts).toEqual({ passed: 2, failed: 1, skipped: 0 });
  });

  it('takes the second result of a failed file, and names flaky tests', () => {
    const marker = JSON.stringify(join(dir, 'marker'));
    const { counts, lines } = run('runVitestWithRerun', {
      'sound.spec.js': SOUND,
      'wrong.spec.js': WRONG,
      'flaky.spec.js': `import { existsSync, writeFileSync } from 'node:fs';
        it('passes', () => expect(1).toBe(1));
        it('passes at the second time', () => {
          const isSecond = existsSync(${marker});
          writeFileSync(${marker}, '');
          expect(isSecond).toBe(true);
        });`,
    });
    expect(counts).toEqual({ passed: 3, failed: 1, skipped: 1 });
    expect(namesAfter('! flaky', lines)).toEqual(['passes at the second time']);
  });

  it('counts an error without a file beside the end of a process', () => {
    const marker = JSON.stringify(join(dir, 'marker'));
    const { counts } = run('runVitestWithRerun', {
      'vitest.config.js': `export default { test: { globalSetup: './setup.js' } };`,
      'setup.js': `import { existsSync } from 'node:fs';
        export default ({ vitest }) => {
          if (!existsSync(${marker})) vitest.state.catchError(new Error('belongs to no file'), 'Unhandled Error');
        };`,
      'deadly.spec.js': `import { existsSync, writeFileSync } from 'node:fs';
        it('ends the process once', () => new Promise((resolve) => {
          if (existsSync(${marker})) return resolve();
          writeFileSync(${marker}, '');
          setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);
        }));`,
    });
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('does not rerun many failed files', () => {
    const specs = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`wrong-${index}.spec.js`, WRONG]),
    );
    const { counts, lines } = run('runVitestWithRerun', specs);
    expect(counts).toEqual({ passed: 0, failed: 9, skipped: 0 });
    expect(lines.filter((line) => line.startsWith('Running the failed files again'))).toEqual([]);
  });

  function run(name: string, specs: Record<string, string>) {
    for (const [file, text] of Object.entries(specs)) writeFileSync(join(dir, file), text);
    const program = `const { ${name} } = await import(${JSON.stringify(MODULE)});
      console.log(JSON.stringify(await ${name}(['--root', ${JSON.stringify(dir)}, '--globals'])));`;
    const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('VITEST')));
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      env,
    });
    const lines = stdout.trim().split('\n');
    return { counts: JSON.parse(lines.at(-1)!) as unknown, lines };
  }
});

/** Names of the tests in lines of the form `<start> … <file> > <name>`. */
function namesAfter(start: string, lines: readonly string[]): (string | undefined)[] {
  return lines.filter((line) => line.startsWith(start)).map((line) => line.split('.spec.js > ')[1]);
}
