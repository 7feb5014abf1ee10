import { chmod, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeDataDir } from '../../../src/infra/database/embedded/staging.js';
import { FlowSupervisor } from '../../support/roles/flow-supervisor.js';
import { eventually } from '../../support/roles/flow-wait.js';

describe('a supervisor that waits for the lock of another container', () => {
  let dataDir: string;
  let supervisor: FlowSupervisor | undefined;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-waits-'));
    await chmod(dataDir, 0o755);
    await writeFile(
      join(dataDir, 'supervisor.lock'),
      JSON.stringify({ realm: 'another container', pid: 7, stamp: 'x' }),
    );
  });
  afterEach(async () => {
    await supervisor?.close();
    await removeDataDir(dataDir);
  });

  it('exits on SIGTERM without starting anything', async () => {
    supervisor = await FlowSupervisor.start(dataDir);
    await eventually('the wait to begin', () => {
      const { errors } = supervisor!;
      return errors.includes('checking for up to') ? { found: true } : { seen: errors };
    });
    expect(await supervisor.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(supervisor.output).toBe('');
    expect(await readdir(dataDir)).toEqual(['supervisor.lock']);
  });
});
