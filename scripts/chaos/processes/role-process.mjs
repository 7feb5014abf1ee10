import { fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DIST } from '../../lib/paths.mjs';
import { clockVariables } from '../servers/fake-clock.mjs';

const START_MS = 180_000;
/** A process that was told to exit is killed after this time, and the history records it. */
const DRAIN_MS = 60_000;
const RETRY_MS = 1_000;

/**
 * One role process. It is restarted when it exits unexpectedly, as by a process manager. The output of all its restarts
 * goes to one log file.
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

  /** Starts the process and waits until it is ready. Retries as long as the process is wanted. */
  async start(offsetSeconds = 0) {
    this.#isWanted = true;
    this.#offsetSeconds = offsetSeconds;
    while (this.#isWanted && !(await this.#spawn())) await sleep(RETRY_MS);
  }

  /** Sends `SIGKILL`, or another signal that ends the process, and waits for the end. */
  async kill(signal = 'SIGKILL') {
    this.#isWanted = false;
    if (!this.#isRunning) return;
    const child = this.#child;
    const ended = endOf(child);
    child.kill(signal);
    await ended;
  }

  /** Sends `SIGTERM`, like a supervisor or Kubernetes. Kills the process if it does not end in time. */
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

  /** @returns whether the process became ready */
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
