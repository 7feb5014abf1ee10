import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeDataDir } from '../../../src/infra/database/embedded/staging.js';
import { isAlive } from '../../support/roles/flow-processes.js';
import { FlowSupervisor } from '../../support/roles/flow-supervisor.js';
import { eventually } from '../../support/roles/flow-wait.js';

const OTHER = JSON.stringify({ realm: 'another container', pid: 7, stamp: 'x' });

describe('the lock of a supervisor', () => {
  let dataDir: string;
  let lock: string;
  let supervisor: FlowSupervisor | undefined;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-lock-'));
    await chmod(dataDir, 0o755);
    lock = join(dataDir, 'supervisor.lock');
  });
  afterEach(async () => {
    await supervisor?.close();
    await removeDataDir(dataDir);
  });

  it('is awaited only until SIGTERM, and nothing starts then', async () => {
    writeFileSync(lock, OTHER);
    supervisor = await FlowSupervisor.start(dataDir);
    await eventually('the wait to begin', () => {
      const { errors } = supervisor!;
      return errors.includes('checking for up to') ? { found: true } : { seen: errors };
    });
    expect(await supervisor.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(supervisor.output).toBe('');
    expect(await readdir(dataDir)).toEqual(['supervisor.lock']);
  });

  it('ends everything at once when another container takes it, and leaves that one its files', async () => {
    supervisor = await FlowSupervisor.start(dataDir);
    await supervisor.ready();
    const below = supervisor.processes();
    const record = readFileSync(join(dataDir, 'postgres.json'), 'utf8');
    writeFileSync(`${lock}.other`, OTHER);
    renameSync(`${lock}.other`, lock);
    expect(await supervisor.ended).toEqual({ code: 1, signal: null });
    expect(supervisor.errors).toContain(`Another start has taken over ${dataDir}`);
    await eventually('every process to be gone', () => {
      const left = below.filter(isAlive);
      return left.length === 0 ? { found: true } : { seen: left };
    });
    expect(readFileSync(lock, 'utf8')).toBe(OTHER);
    expect(readFileSync(join(dataDir, 'postgres.json'), 'utf8')).toBe(record);
    expect(await readdir(join(dataDir, 'postgres'))).toContain('postmaster.pid');
  });
});
