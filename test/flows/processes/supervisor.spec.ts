import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../../src/roles/role-settings.js';
import { databaseUrlFor } from '../../../src/infra/database/embedded/database-url.js';
import { removeDataDir } from '../../../src/infra/database/embedded/staging.js';
import { canUnshare, OTHER_CONTAINER } from '../../../src/infra/processes/testing/other-container.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { createFlowAccount } from '../../support/roles/flow-account.js';
import { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { descendantsOf, isAlive } from '../../support/roles/flow-processes.js';
import { builtProgram } from '../../support/roles/flow-build.js';
import { flowEnvironment } from '../../support/roles/flow-environment.js';
import { FlowSupervisor } from '../../support/roles/flow-supervisor.js';
import { eventually } from '../../support/roles/flow-wait.js';

const ROLES: readonly Role[] = ['api', 'worker', 'dispatcher'];
const FIRST_LINE =
  /^Ready: (http:\/\/localhost:\d+) — docs \1\/docs — demo key (ies_\w+) — sign in as (demo@localhost) with password ([a-z2-9-]{23})$/;
const LATER_LINE = /^Ready: (http:\/\/localhost:\d+) — docs \1\/docs$/;
const ORDER = { operation: 'smooth_skin' } as const;

/** The service is restarted on the same folder; each test continues where the previous one ended. */
describe('the supervisor', () => {
  let dataDir: string;
  let supervisor: FlowSupervisor;
  const started: FlowSupervisor[] = [];
  let client: FlowClient;
  let key: string;
  /** The job that was running when Ctrl-C came. */
  let interruptedId: string;

  async function start(): Promise<FlowSupervisor> {
    const one = await FlowSupervisor.start(dataDir);
    started.push(one);
    return one;
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-all-'));
    // PostgreSQL's own user needs to traverse the folder when the tests run as root.
    await chmod(dataDir, 0o755);
    supervisor = await start();
  });
  afterAll(async () => {
    for (const one of started) await one.close();
    await removeDataDir(dataDir);
  });

  it('prints one line with the address, a working key and a working password', async () => {
    const line = await supervisor.ready();
    expect(line).toMatch(FIRST_LINE);
    const [, baseUrl, demoKey, email, password] = FIRST_LINE.exec(line)!;
    expect((await fetch(`${baseUrl}/docs`)).status).toBe(200);
    const signedIn = await fetch(`${baseUrl}/dashboard/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(await signedIn.json()).toMatchObject({ account: { email, plan: 'personal' } });
    expect(signedIn.headers.getSetCookie()[0]).toMatch(
      /^ies_session=[\w-]{43}; .*HttpOnly; SameSite=Strict$/,
    );
    expect(await new FlowClient(baseUrl!, demoKey!).usage()).toMatchObject({ enhancements: { used: 0 } });
    // The tests poll faster than the plan of the demo key allows.
    const databaseUrl = await databaseUrlFor({ dataDir, databaseUrl: undefined });
    ({ key } = await createFlowAccount(databaseUrl!));
    client = new FlowClient(baseUrl!, key);
    const { job } = await client.enhance(await solidFile(16, 16, [50, 60, 70]), ORDER);
    expect(job.status).toBe('completed');
    expect(supervisor.output).toBe(`${line}\n`);
  });

  it('runs every role as a separate process', () => {
    const pids = ROLES.map((role) => supervisor.role(role)?.pid);
    expect(new Set(pids).size).toBe(3);
    expect(pids).not.toContain(undefined);
    expect(pids).not.toContain(supervisor.pid);
  });

  it.each(ROLES)('restarts the %s when it is killed', async (role) => {
    const killed = supervisor.role(role)!;
    process.kill(killed.pid, 'SIGKILL');
    await eventually(`another ${role} to be ready`, () => {
      const now = supervisor.role(role);
      const isNew = now !== undefined && now.pid !== killed.pid && supervisor.isReady(now);
      return isNew ? { found: now } : { seen: { killed, now } };
    });
    const { job } = await client.enhance(await solidFile(16, 16, [80, 70, 60]), ORDER);
    expect(job.status).toBe('completed');
  });

  it('restarts a killed PostgreSQL without restarting any role', async () => {
    const { url } = await client.upload(await busyFile(450));
    const { id } = await client.create(url, BUSY_ORDER);
    await client.until(id, 'processing');
    const pids = ROLES.map((role) => supervisor.role(role)?.pid);
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    await eventually('the service to be ready again', async () => {
      const { status, json } = await client.request('GET', '/health/ready');
      const record = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as { pid: number };
      return status === 200 && record.pid !== pid ? { found: true } : { seen: json };
    });
    await client.completed(id);
    expect(
      ROLES.map((role) => supervisor.role(role)?.pid),
      supervisor.errors.slice(-6_000),
    ).toEqual(pids);
  });

  it('refuses a second supervisor on the same folder with one clear message', async () => {
    const second = await start();
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.output).toBe('');
    expect(second.errors).toContain(`already runs on ${dataDir} (pid ${supervisor.pid})`);
    expect(second.errors.trim().split('\n')).toHaveLength(1);
  });

  it.runIf(canUnshare)('refuses a command of another container on the same folder', async () => {
    const command = [process.execPath, builtProgram('main.admin.js'), 'restores', 'list'];
    const env = flowEnvironment({ DATA_DIR: dataDir });
    const { status, stderr } = spawnSync('unshare', [...OTHER_CONTAINER, ...command], {
      env,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/docker exec <container>/),
    });
    expect((await client.request('GET', '/health/ready')).status).toBe(200);
  });

  it('exits with code 0 on Ctrl-C and leaves no process', async () => {
    const { url } = await client.upload(await busyFile());
    interruptedId = (await client.create(url, BUSY_ORDER)).id;
    await client.until(interruptedId, 'processing');
    const below = supervisor.processes();
    expect(below.length).toBeGreaterThan(ROLES.length);
    expect(await supervisor.end('SIGINT')).toEqual({ code: 0, signal: null });
    await eventually('every process to be gone', () => {
      const left = below.filter(isAlive);
      return left.length === 0 ? { found: true } : { seen: left };
    });
  });

  it('starts again with all data, and does not show a key again', async () => {
    supervisor = await start();
    const line = await supervisor.ready();
    expect(line).toMatch(LATER_LINE);
    client = new FlowClient(LATER_LINE.exec(line)![1]!, key);
    const job = await client.completed(interruptedId);
    expect(await client.bytesAt(job.resultUrl!)).toHaveLength(job.result!.bytes);
    expect(job.attempts).toBe(1);
  });

  it('also exits with code 0 on SIGTERM', async () => {
    const below = supervisor.processes();
    expect(await supervisor.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await eventually('every process to be gone', () => {
      const left = below.filter(isAlive);
      return left.length === 0 ? { found: true } : { seen: left };
    });
  });
});

/** With keys in the environment, as an operator of several machines would set them. */
describe.skipIf(process.platform !== 'linux')('the secrets of each role', () => {
  const SECRETS = {
    URL_SIGNING_KEY: 'a signing key of the environment that is long enough',
    SEALING_KEY: 'a sealing key of the environment that is long enough',
    METRICS_TOKEN: 'a token of the environment that is long enough',
  };
  let dataDir: string;
  let database: TestDatabase;
  let supervisor: FlowSupervisor | undefined;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-secrets-'));
    database = await createTestDatabase();
    supervisor = await FlowSupervisor.start(dataDir, { ...SECRETS, DATABASE_URL: database.databaseUrl });
    await supervisor.ready();
  });
  afterAll(async () => {
    await supervisor?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const secretsOf = (pid: number): string[] => {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return Object.keys(SECRETS).filter((name) => environment.some((line) => line.startsWith(`${name}=`)));
  };

  it('are only those that it uses, and a decoder has none', async () => {
    expect(secretsOf(supervisor!.role('api')!.pid)).toEqual(Object.keys(SECRETS));
    expect(secretsOf(supervisor!.role('worker')!.pid)).toEqual(['URL_SIGNING_KEY', 'METRICS_TOKEN']);
    expect(secretsOf(supervisor!.role('dispatcher')!.pid)).toEqual(Object.keys(SECRETS));
    const decoders = await eventually('the decoders of api and worker', () => {
      const found = descendantsOf(supervisor!.pid).filter(({ command }) => command === 'image decoder');
      return found.length >= 2 ? { found } : { seen: found };
    });
    for (const { pid } of decoders) expect(secretsOf(pid)).toEqual([]);
  });
});
