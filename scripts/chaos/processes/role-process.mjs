import { fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DIST } from '../../lib/paths.mjs';
import { clockVariables } from '../servers/fake-clock.mjs';

const START_MS = 180_000;
/** After this long a process that was told to end is killed, and the history says so. */
const DRAIN_MS = 60_000;
const RETRY_MS = 1_000;

/**
 * One role process, started again whenever it ends without being asked, as a process manager does it. Its output
 * goes to a log file of its own over all of its lives.
 */
export class RoleProcess {
  #child;
  #isWanted = false;
  #offsetSeconds = 0;

  /** @param {{ name: string, role: string, program: string, env: object, logsDir: string, history: object }} options */
  constructor(options) {
    Object.assign(this, options);
    this.logPath = join(options.logsDir, `${options.name}.log`);
    this.leaseOwner = undefined;
  }

  get pid() {
    return this.#isRunning ? this.#child.pid : undefined;
  }

  get #isRunning() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts it and waits until it is ready; tries again as long as it is wanted. */
  async start(offsetSeconds = 0) {
    this.#isWanted = true;
    this.#offsetSeconds = offsetSeconds;
    while (this.#isWanted && !(await this.#spawn())) await sleep(RETRY_MS);
  }

  /** Sends `SIGKILL`, or whatever else ends it, and waits for the end. */
  async kill(signal = 'SIGKILL') {
    this.#isWanted = false;
    if (!this.#isRunning) return;
    const child = this.#child;
    const ended = endOf(child);
    child.kill(signal);
    await ended;
  }

  /** `SIGTERM`, as a supervisor or Kubernetes sends it. What does not end in time is killed. */
  async drain() {
    const child = this.#child;
    const startedMs = performance.now();
    const killer = setTimeout(() => child?.kill('SIGKILL'), DRAIN_MS);
    await this.kill('SIGTERM');
    clearTimeout(killer);
    const tookMs = Math.round(performance.now() - startedMs);
    this.#note('drained', { tookMs, code: child?.exitCode ?? null, signal: child?.signalCode ?? null });
  }

  signal(name) {
    if (this.#isRunning) this.#child.kill(name);
  }

  /** @returns whether it got ready */
  async #spawn() {
    const log = openSync(this.logPath, 'a', 0o600);
    const child = fork(join(DIST, this.program), [], {
      env: { ...this.env, ...clockVariables(this.#offsetSeconds) },
      execArgv: [],
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    this.#child = child;
    this.leaseOwner = undefined;
    child.on('message', (message) => {
      if (message.type === 'leases') this.leaseOwner = message.owner;
    });
    const ended = endOf(child);
    const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
    const isReady = await Promise.race([isReadySaid(child), ended.then(() => false)]);
    clearTimeout(timer);
    const { pid } = child;
    if (isReady) this.#note('ready', { pid, offsetSeconds: this.#offsetSeconds });
    else if (this.#isWanted) this.#note('start-failed', { pid, code: child.exitCode });
    if (isReady) void ended.then(() => this.#onEnd(child));
    return isReady;
  }

  async #onEnd(child) {
    if (!this.#isWanted || this.#child !== child) return;
    this.#note('ended-by-itself', { pid: child.pid, code: child.exitCode, signal: child.signalCode });
    await sleep(RETRY_MS);
    if (this.#isWanted && this.#child === child) await this.start(this.#offsetSeconds);
  }

  #note(event, details) {
    this.history.add('process', { name: this.name, event, ...details });
  }
}

function endOf(child) {
  return new Promise((resolve) => {
    child.once('exit', resolve);
  });
}

function isReadySaid(child) {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (message.type === 'ready') resolve(true);
    });
  });
}
