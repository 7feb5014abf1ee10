import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from '../../lib/setup-error.mjs';
import { built } from '../../lib/built.mjs';

const START_MS = 20_000;

/** A Redis server without persistence: it loses everything when it is killed. */
export class RedisServer {
  #child;

  constructor(port) {
    this.port = port;
  }

  /** @throws SetupError where redis-server is missing */
  static async start() {
    if (spawnSync('redis-server', ['--version']).status !== 0) {
      throw new SetupError('--redis needs the program redis-server (on Debian: apt install redis-server).');
    }
    const { freePort } = await built('infra/database/embedded/free-port.js');
    const redis = new RedisServer(await freePort());
    await redis.startAgain();
    return redis;
  }

  get address() {
    return { host: '127.0.0.1', port: this.port };
  }

  async startAgain() {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#child = spawn('redis-server', options, { stdio: 'ignore', cwd: '/' });
    const endMs = performance.now() + START_MS;
    while (!(await listens(this.port))) {
      if (performance.now() > endMs) throw new Error('redis-server does not listen');
      await sleep(50);
    }
  }

  /** Kills the server with `kill -9`. All data is lost. */
  async kill() {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  async stop() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.kill();
  }
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
