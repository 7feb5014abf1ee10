import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram } from '../../support/roles/flow-build.js';
import { flowEnvironment } from '../../support/roles/flow-environment.js';
import { FlowService } from '../../support/roles/flow-service.js';

/** Shorter than any timeout of Node.js, which would close these connections, too. */
const DRAIN = { DRAIN_TIMEOUT_MS: '5000' };
const SIGTERM_STATUS = 143;
const REPEAT_MS = 500;
/** A stack trace or an error message of the role. */
const FAULT = /^\s+at |Still shutting down|Shutting down failed|could not start/m;

describe('an api that is asked to stop', () => {
  let service: FlowService;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    service = await FlowService.start({ roles: [], env: DRAIN });
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await service?.close();
  });

  async function send(text: string): Promise<Socket> {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(text, resolve));
    return socket;
  }

  it('exits cleanly with unfinished client requests', async () => {
    const api = await service.startRole('api');
    const unfinished = await Promise.all([
      send('GET /health/live HTTP/1.1\r\nHo'),
      send('POST /dashboard/api/session HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n{'),
      send('GET /health/live HTTP/1.1\r\nHost: test\r\n\r\nGET /hea'),
      send(''),
    ]);
    await once(unfinished[2], 'data');
    const ending = api.terminate();
    // A second signal, as from an impatient operator.
    process.kill(api.pid, 'SIGTERM');
    expect(await ending).toEqual({ code: 0, signal: null });
    expect(api.log).not.toMatch(FAULT);
  });

  it('exits cleanly after it has lost its database connections', async () => {
    const api = await service.startRole('api');
    const connections = await service.database.rows(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'ies-api%'",
    );
    expect(connections.length).toBeGreaterThan(0);
    expect(await api.terminate()).toEqual({ code: 0, signal: null });
    expect(api.log).not.toMatch(FAULT);
  });
});

const noNamespace =
  spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0
    ? ''
    : ' (skipped: process namespaces need root)';

describe.skipIf(noNamespace !== '')(`process 1 of a container${noNamespace}`, () => {
  let service: FlowService;
  beforeAll(async () => {
    service = await FlowService.start({ roles: [] });
  });
  afterAll(() => service?.close());

  it.each([
    ['api', 'main.api.js', []],
    ['dispatcher', 'main.dispatcher.js', []],
    ['worker', 'main.worker.js', []],
    ['migrate', 'main.admin.js', ['migrate']],
  ])('of %s exits on SIGTERM during startup', async (_name, program, args) => {
    // The database never responds, so startup does not end by itself.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const port = (silent.address() as AddressInfo).port;
    const env = flowEnvironment({
      DATA_DIR: service.dataDir,
      DATABASE_URL: `postgres://ies@127.0.0.1:${port}/ies`,
      URL_SIGNING_KEY: 's'.repeat(40),
      SEALING_KEY: 'k'.repeat(40),
      PUBLIC_URL: 'http://127.0.0.1:3000',
      INFERENCE_DEVICE: 'cpu',
    });
    const isolated = ['--pid', '--fork', '--kill-child', process.execPath, builtProgram(program), ...args];
    const child = spawn('unshare', isolated, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = once(child, 'close') as Promise<[number | null]>;
    // A signal before the first line of the program is lost, so the test repeats it, as an operator would.
    const stopping = setInterval(() => terminateFirstChild(child.pid!), REPEAT_MS);
    try {
      expect((await ended)[0], said).toBe(SIGTERM_STATUS);
      expect(said).not.toMatch(FAULT);
    } finally {
      clearInterval(stopping);
      child.kill('SIGKILL');
      silent.close();
    }
  });
});

/** Sends SIGTERM to the process that `unshare` started, if it is running. */
function terminateFirstChild(pid: number): void {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    if (children !== '') process.kill(Number(children.split(' ')[0]), 'SIGTERM');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ESRCH') throw error;
  }
}
