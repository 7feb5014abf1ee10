import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { flowEnvironment } from '../../support/roles/flow-environment.js';
import { descendantsOf, isAlive, signaled } from '../../support/roles/flow-processes.js';
import { eventually } from '../../support/roles/flow-wait.js';

/** npm sends the signal to the shell of the script only, which would end without its program. */
it.each(['start', 'demo', 'webhook-receiver'])('SIGTERM to `npm run %s` ends its program', async (name) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ies-npm-signals-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const env = flowEnvironment({ DATA_DIR: dataDir, PORT: '0' });
  const npm = spawn('npm', ['run', name], { cwd: ROOT, env, stdio: 'ignore' });
  const ended = once(npm, 'exit');
  const program = await eventually(`the program of ${name}`, () => {
    const seen = descendantsOf(npm.pid!);
    const found = seen.find(({ command }) => command.startsWith(`node scripts/${name}.mjs`));
    return found === undefined ? { seen } : { found };
  });
  onTestFinished(() => void (isAlive(program) && signaled(program.pid, 'SIGKILL')));
  // npm passes signals on from a moment after the start of its script.
  await eventually('npm to handle SIGTERM', () => (handlesSigterm(npm.pid!) ? { found: true } : {}));
  npm.kill('SIGTERM');
  await ended;
  expect(isAlive(program)).toBe(false);
});

function handlesSigterm(pid: number): boolean {
  const [, mask] = /^SigCgt:\s+([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (BigInt(`0x${mask}`) & (1n << 14n)) !== 0n;
}
