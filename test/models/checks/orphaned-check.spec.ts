import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram, ensureFlowBuild } from '../../support/roles/flow-build.js';
import { descendantsOf, isAlive, type KnownProcess, signaled } from '../../support/roles/flow-processes.js';
import { eventually } from '../../support/roles/flow-wait.js';

/** Simulates an endless model run: nothing else happens on its thread. */
const CHILD = (library: string) => `
import { exitWithParent } from ${JSON.stringify(library)};
exitWithParent();
process.send('begun', () => { for (;;); });
`;

const PARENT = `
import { fork } from 'node:child_process';
const child = fork(process.argv[2], [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
child.on('message', () => process.send('begun'));
`;

describe('the trial process of a model version', () => {
  let dir: string;
  let left: KnownProcess | undefined;
  beforeAll(async () => {
    await ensureFlowBuild();
    dir = await mkdtemp(join(tmpdir(), 'ies-orphan-'));
    await writeFile(join(dir, 'child.mjs'), CHILD(builtProgram('models/check/exit-with-parent.js')));
    await writeFile(join(dir, 'parent.mjs'), PARENT);
  });
  afterAll(async () => {
    if (left !== undefined && isAlive(left)) signaled(left.pid, 'SIGKILL');
    await rm(dir, { recursive: true });
  });

  it('ends when its worker is killed, even during an endless run', async () => {
    const parent = fork(join(dir, 'parent.mjs'), [join(dir, 'child.mjs')], { execArgv: [] });
    await once(parent, 'message');
    const [child] = descendantsOf(parent.pid!);
    left = child!;
    expect(isAlive(child!)).toBe(true);
    parent.kill('SIGKILL');
    await eventually('the trial to be gone', () => (isAlive(child!) ? { seen: child } : { found: true }));
  });
});
