import { fork } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DIST } from '../../lib/paths.mjs';

const START_MS = 180_000;

/** `npm start` without npm: the supervisor with one process of each role. */
export class SupervisorProcess {
  #child;

  constructor({ env, logsDir, history }) {
    this.name = 'supervisor';
    this.env = env;
    this.history = history;
    this.logPath = join(logsDir, 'supervisor.log');
  }

  get pid() {
    return this.#child?.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined;
  }

  /** Whether one of its roles has logged that it is ready. */
  isReady(pid) {
    const lines = readFileSync(this.logPath, 'utf8').split('\n');
    return lines.some((line) => line.includes(`"pid":${pid},`) && line.endsWith('"msg":"ready"}'));
  }

  /** Starts the supervisor and waits until all of its roles are ready. */
  async start() {
    const log = openSync(this.logPath, 'a', 0o600);
    this.#child = fork(join(DIST, 'main.all.js'), [], {
      env: this.env,
      execArgv: [],
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    const endMs = performance.now() + START_MS;
    while (!readFileSync(this.logPath, 'utf8').includes('Ready: ')) {
      if (this.pid === undefined) throw new Error(`the supervisor ended; its log: ${this.logPath}`);
      if (performance.now() > endMs) throw new Error(`the supervisor is not ready; its log: ${this.logPath}`);
      await sleep(200);
    }
    this.history.add('process', { name: this.name, event: 'ready', pid: this.pid });
  }

  async drain() {
    const child = this.#child;
    const startedMs = performance.now();
    await this.kill('SIGTERM');
    const tookMs = Math.round(performance.now() - startedMs);
    const ending = { tookMs, code: child?.exitCode ?? null, signal: child?.signalCode ?? null };
    this.history.add('process', { name: this.name, event: 'drained', ...ending });
  }

  async kill(signal = 'SIGKILL') {
    if (this.pid === undefined) return;
    const ended = new Promise((resolve) => {
      this.#child.once('exit', resolve);
    });
    this.#child.kill(signal);
    await ended;
  }
}
