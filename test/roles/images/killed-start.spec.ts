import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../../../src/infra/processes/bubblewrap.js';
import { confined, type ConfinedProgram } from '../../../src/infra/processes/confinement.js';
import { signaled } from '../../support/roles/flow-processes.js';
import { eventually, LASTING } from '../../support/roles/flow-wait.js';

/** Enough to hit the few milliseconds in which Bubblewrap has two processes that do not end together yet. */
const TIMES = 60;

describe.skipIf(!hasBubblewrap())(
  'a confined program that is killed while it starts (needs bubblewrap)',
  () => {
    let workDir: string;
    beforeEach(() => {
      workDir = mkdtempSync(join(tmpdir(), 'ies-killed-start-'));
    });
    afterEach(() => {
      for (const pid of left()) signaled(pid, 'SIGKILL');
      rmSync(workDir, { recursive: true, force: true });
    });

    /** Ends when its standard input is closed, like a decoder. */
    const program = (): ConfinedProgram => ({
      command: ['/bin/cat'],
      readable: [],
      workDir,
      dataBytes: 600_000_000,
      fileBytes: 0,
      hiddenDirs: ['/nonexistent/data', '/nonexistent/data/scratch'],
    });

    /** The processes that name the working folder of the program. */
    const left = (): number[] =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .filter((pid) => commandOf(pid).includes(workDir))
        .map(Number);

    const allEnded = (): Promise<true> =>
      eventually(
        'every process to end',
        () => {
          const seen = left();
          return seen.length === 0 ? { found: true } : { seen };
        },
        LASTING,
      );

    /** Starts the program from a shell, which it then outlives. */
    const startFromShell = () => {
      const [command, args] = confined('sandbox', program());
      return spawn('/bin/sh', ['-c', '"$@" & wait', 'sh', command, ...args], { stdio: 'ignore' });
    };

    it('leaves no process behind when its parent is killed', { timeout: 300_000 }, async () => {
      const startedMs = performance.now();
      await once(startFromShell(), 'exit');
      const wholeMs = performance.now() - startedMs;
      for (let time = 0; time < TIMES; time += 1) {
        const parent = startFromShell();
        await sleep((wholeMs * time) / TIMES);
        parent.kill('SIGKILL');
      }
      expect(await allEnded()).toBe(true);
    });
  },
);

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
