import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeDataDir } from '../../../src/infra/database/embedded/staging.js';
import { FlowClient } from '../../support/roles/flow-client.js';
import { FlowSupervisor } from '../../support/roles/flow-supervisor.js';
import { eventually } from '../../support/roles/flow-wait.js';

/** A device that no machine has, so that the worker never starts. */
const NO_DEVICE = { INFERENCE_DEVICES: 'cuda:99' };

/** The key and the password are shown only once, so they are created only when there is a ready line to show them. */
describe('a first start that does not become ready', () => {
  let dataDir: string;
  const started: FlowSupervisor[] = [];

  async function start(env: Readonly<Record<string, string>> = {}): Promise<FlowSupervisor> {
    const supervisor = await FlowSupervisor.start(dataDir, env);
    started.push(supervisor);
    return supervisor;
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-first-'));
    // PostgreSQL's own user needs to traverse the folder when the tests run as root.
    await chmod(dataDir, 0o755);
  });
  afterAll(async () => {
    for (const supervisor of started) await supervisor.close();
    await removeDataDir(dataDir);
  });

  it('reports why and shows no key or password when a role does not start', async () => {
    const supervisor = await start(NO_DEVICE);
    expect(await supervisor.ended).toEqual({ code: 1, signal: null });
    expect(supervisor.errors).toContain('The worker failed to start');
    expect(supervisor.output).toBe('');
  });

  it('shows no key or password when Ctrl-C interrupts it', async () => {
    const supervisor = await start(NO_DEVICE);
    await eventually('the worker to have failed once', () =>
      supervisor.errors.includes('starting it again') ? { found: true } : { seen: supervisor.errors },
    );
    expect(await supervisor.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect(supervisor.output).toBe('');
  });

  it('leaves the key and the password to the first start that becomes ready', async () => {
    const supervisor = await start();
    const line = await supervisor.ready();
    const shown = /^Ready: (\S+) — .* — demo key (ies_\w+) — sign in as (\S+) with password (\S+)$/.exec(
      line,
    );
    expect(shown, line).not.toBeNull();
    const [, baseUrl, key, email, password] = shown!;
    expect(await new FlowClient(baseUrl!, key!).usage()).toMatchObject({ enhancements: { used: 0 } });
    const signedIn = await fetch(`${baseUrl}/dashboard/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(signedIn.status).toBe(200);
  });
});
