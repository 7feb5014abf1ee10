import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf } from '../../lib/child-processes.mjs';

const RETURN_MS = 180_000;
const PAUSE_MS = 200;

/** A role process under the supervisor. Only the supervisor restarts it. */
export class SupervisedRole {
  #killedPid;

  constructor({ role, supervisor, history }) {
    this.role = role;
    this.name = `${role}-2`;
    this.clockIsFixed = true;
    this.supervisor = supervisor;
    this.history = history;
    this.leaseOwner = undefined;
  }

  get pid() {
    const { pid } = this.supervisor;
    if (pid === undefined) return undefined;
    return descendantsOf(pid).find(({ command }) => command.includes(`main.${this.role}.js`))?.pid;
  }

  /** Waits until the supervisor's replacement process is ready. Only then has it cleaned up what the first one left. */
  async start() {
    const endMs = performance.now() + RETURN_MS;
    for (let pid = this.pid; pid === this.#killedPid || !this.supervisor.isReady(pid); pid = this.pid) {
      if (performance.now() > endMs) throw new Error(`the supervisor did not start the ${this.role} again`);
      await sleep(PAUSE_MS);
    }
  }

  async kill(signal = 'SIGKILL') {
    this.#killedPid = this.pid;
    this.signal(signal);
  }

  async drain() {
    await this.kill('SIGTERM');
  }

  signal(name) {
    const { pid } = this;
    if (pid === undefined) return;
    try {
      process.kill(pid, name);
    } catch (error) {
      // The process ended after it was found and before it got the signal.
      if (error.code !== 'ESRCH') throw error;
    }
  }
}
