import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { isPortFree } from '../../../src/infra/database/embedded/free-port.js';
import { descendantsOf, isAlive, type KnownProcess } from '../../support/roles/flow-processes.js';
import { eventually } from '../../support/roles/flow-wait.js';

const moduleUrl = (path: string): string =>
  JSON.stringify(pathToFileURL(join(ROOT, 'scripts/lib', path)).href);

describe('an interrupted script', () => {
  let dir: string;
  const at = (name: string): string => join(dir, name);
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'ies-interrupted-')));
    mkdirSync(at('tmp'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  /**
   * Runs a program of ES module code, waits for the file `started`, and interrupts it.
   * @param kill gets the id of its process, which is also that of its process group
   */
  async function interrupted(code: string, kill: (pid: number) => void) {
    writeFileSync(at('program.mjs'), code);
    const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('VITEST')));
    const child = spawn(process.execPath, [at('program.mjs')], {
      env: { ...env, TMPDIR: at('tmp') },
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    const ended = new Promise((resolve) => {
      child.once('close', (code_, signal) => resolve({ code: code_, signal }));
    });
    try {
      await eventually('the program to start', () => (existsSync(at('started')) ? { found: true } : {}));
      kill(child.pid!);
      return { outcome: await ended, output };
    } finally {
      child.kill('SIGKILL');
    }
  }

  const path = (name: string): string => JSON.stringify(at(name));

  it('ends by SIGTERM after the running checks have cleaned up, and starts no other', async () => {
    for (const [name, ms] of [
      ['first', 0],
      ['second', 500],
    ] as const)
      writeFileSync(
        at(`${name}.mjs`),
        `import { existsSync, writeFileSync } from 'node:fs';
        process.on('SIGTERM', () => setTimeout(() => {
          writeFileSync(${path(`${name}-cleaned`)}, '');
          process.exit(1);
        }, ${ms}));
        setInterval(() => undefined, 1_000);
        writeFileSync(${path(`${name}-started`)}, '');
        if (existsSync(${path('first-started')}) && existsSync(${path('second-started')}))
          writeFileSync(${path('started')}, '');`,
      );
    writeFileSync(
      at('third.mjs'),
      `import { writeFileSync } from 'node:fs'; writeFileSync(${path('third')}, '');`,
    );
    const { outcome, output } = await interrupted(
      `const { runCheck } = await import(${moduleUrl('check.mjs')});
      const { runMain } = await import(${moduleUrl('setup-error.mjs')});
      const inTurn = async () => {
        await runCheck('first', [${path('first.mjs')}]);
        await runCheck('third', [${path('third.mjs')}]);
      };
      await runMain(() => Promise.all([inTurn(), runCheck('second', [${path('second.mjs')}])]));
      console.log('went on');`,
      (pid) => process.kill(pid, 'SIGTERM'),
    );
    expect({ outcome, output }).toEqual({ outcome: { code: null, signal: 'SIGTERM' }, output: '' });
    for (const name of ['first-cleaned', 'second-cleaned']) expect(existsSync(at(name)), name).toBe(true);
    expect(existsSync(at('third'))).toBe(false);
  });

  it('ends by Ctrl-C without running the specs again, and leaves no files', async () => {
    writeFileSync(
      at('long.spec.js'),
      `import { writeFileSync } from 'node:fs';
      it('takes long', async () => {
        writeFileSync(${path('started')}, '');
        await new Promise((resolve) => setTimeout(resolve, 200_000));
      }, 300_000);`,
    );
    const { outcome, output } = await interrupted(
      `const { runVitestWithRerun } = await import(${moduleUrl('vitest/run-vitest.mjs')});
      const { runMain } = await import(${moduleUrl('setup-error.mjs')});
      await runMain(() => runVitestWithRerun(['--root', ${JSON.stringify(dir)}, '--globals']));
      console.log('went on');`,
      (pid) => process.kill(-pid, 'SIGINT'),
    );
    expect(outcome).toEqual({ code: null, signal: 'SIGINT' });
    expect(output).not.toMatch(/again, one at a time|went on|did not end/);
    expect(readdirSync(at('tmp')).filter((name) => name.startsWith('ies-vitest-'))).toEqual([]);
  });

  it('leaves no process of a spec when only the script gets SIGTERM', async () => {
    writeFileSync(
      at('service.spec.js'),
      `import { spawn } from 'node:child_process';
      import { renameSync, writeFileSync } from 'node:fs';
      it('starts a service', async () => {
        const service = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
        writeFileSync(${path('writing')}, JSON.stringify([process.pid, service.pid]));
        renameSync(${path('writing')}, ${path('started')});
        await new Promise((resolve) => setTimeout(resolve, 200_000));
      }, 300_000);`,
    );
    let left: readonly KnownProcess[] = [];
    const { outcome } = await interrupted(
      `const { runVitestWithRerun } = await import(${moduleUrl('vitest/run-vitest.mjs')});
      const { runMain } = await import(${moduleUrl('setup-error.mjs')});
      await runMain(() => runVitestWithRerun(['--root', ${JSON.stringify(dir)}, '--globals']));`,
      (pid) => {
        left = descendantsOf(pid);
        process.kill(pid, 'SIGTERM');
      },
    );
    expect(outcome).toEqual({ code: null, signal: 'SIGTERM' });
    const own = JSON.parse(readFileSync(at('started'), 'utf8')) as number[];
    expect(left.map(({ pid }) => pid)).toEqual(expect.arrayContaining(own));
    expect(left.filter(isAlive)).toEqual([]);
  });

  it('removes the database and the processes of a benchmark after Ctrl-C', async () => {
    // The user of PostgreSQL must be able to enter.
    chmodSync(dir, 0o755);
    const { outcome, output } = await interrupted(
      `import { writeFileSync } from 'node:fs';
      const { openStage } = await import(${moduleUrl('../bench/stage.mjs')});
      const { runMain } = await import(${moduleUrl('setup-error.mjs')});
      await runMain(async () => {
        const { databaseUrl, api } = await openStage();
        console.log(new URL(databaseUrl).port);
        writeFileSync(${path('started')}, '');
        await new Promise((resolve, reject) => api.child.once('exit', () => reject(new Error('the api ended'))));
      });
      console.log('went on');`,
      (pid) => process.kill(-pid, 'SIGINT'),
    );
    expect(outcome).toEqual({ code: null, signal: 'SIGINT' });
    expect(output).toMatch(/^\d+\n$/);
    expect(readdirSync(at('tmp'))).toEqual([]);
    expect(await isPortFree(Number(output))).toBe(true);
  });
});
