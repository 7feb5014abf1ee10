import { spawn } from 'node:child_process';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { committedModels } from '../../support/models/committed-models.js';
import { builtProgram, ensureFlowBuild } from '../../support/roles/flow-build.js';
import { flowEnvironment, ONE_STREAM } from '../../support/roles/flow-environment.js';
import { descendantsOf, isAlive, signaled } from '../../support/roles/flow-processes.js';
import { eventually } from '../../support/roles/flow-wait.js';

describe('npm run demo', () => {
  let pid: number | undefined;
  beforeAll(ensureFlowBuild);
  afterEach(() => pid !== undefined && signaled(pid, 'SIGKILL'));

  it('says that its service ended, shows the end of the log, and leaves no process', async () => {
    const env = flowEnvironment({ ...ONE_STREAM, MODELS_DIR: await committedModels(['upscale']) });
    const child = spawn(process.execPath, [builtProgram('main.demo.js'), '--operation', 'upscale'], { env });
    pid = child.pid!;
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await eventually('the upload of the photo', () =>
      said.stdout.includes('Uploaded ') ? { found: true } : { seen: said },
    );
    const below = descendantsOf(pid);
    const service = below.find(({ command }) => command.includes('main.all.js'))!;
    signaled(service.pid, 'SIGKILL');
    expect(await ended).toBe(1);
    expect(said.stderr).toMatch(
      /^The service ended with SIGKILL\. The end of its log:\n[^]+\nRun "npm run doctor" to see .+\n$/,
    );
    await eventually('every process to be gone', () => {
      const left = below.filter(isAlive);
      return left.length === 0 ? { found: true } : { seen: left };
    });
  });
});
