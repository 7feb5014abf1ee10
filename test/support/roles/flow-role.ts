import { type ChildProcess, fork } from 'node:child_process';
import type { Role } from '../../../src/roles/role-settings.js';
import { builtProgram } from './flow-build.js';

const START_MS = 90_000;
const KEPT_LOG_CHARACTERS = 20_000;

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One role of the service: the compiled program as a separate process. */
export class FlowRole {
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<Ending>;
  private text = '';
  private isEndWanted = false;

  private constructor(
    readonly role: Role,
    private readonly child: ChildProcess,
  ) {
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        if (!this.isEndWanted) {
          process.stderr.write(
            `the ${role} ended by itself (${signal ?? `exit code ${code}`}):\n${this.text}\n`,
          );
        }
        resolve({ code, signal });
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.text = (this.text + chunk).slice(-KEPT_LOG_CHARACTERS);
      });
    }
  }

  /**
   * Starts it and waits until it is ready. It ends by itself when the test's process is gone.
   * @param onSpawn called before it is ready, so that it can be killed whatever happens
   * @param program default: the one that was built here
   * @throws Error with its log when it ends, or stays silent, before it is ready
   */
  static async start(
    role: Role,
    environment: Record<string, string>,
    onSpawn: (started: FlowRole) => void,
    program = builtProgram(`main.${role}.js`),
  ): Promise<FlowRole> {
    const child = fork(program, [], {
      env: environment,
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const started = new FlowRole(role, child);
    onSpawn(started);
    await started.ready();
    return started;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The end of its log. */
  get log(): string {
    return this.text;
  }

  /** Asks it to drain and end. */
  terminate(): Promise<Ending> {
    this.isEndWanted = true;
    this.child.kill('SIGTERM');
    return this.ended;
  }

  /** `kill -9`. */
  kill(): Promise<Ending> {
    this.killNow();
    return this.ended;
  }

  /** Pauses it with SIGSTOP. The caller makes sure that it is idle: see `IdleWorker`. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  /** Resumes it after `pause`. */
  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Like `kill`, when there is no time to wait. */
  killNow(): void {
    this.isEndWanted = true;
    this.child.kill('SIGKILL');
  }

  private async ready(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const outcome = await Promise.race([
      new Promise<'ready'>((resolve) => {
        this.child.on('message', (message: { type: string }) => {
          if (message.type === 'ready') resolve('ready');
        });
      }),
      this.ended.then(({ code, signal }) => `ended with ${signal ?? `exit code ${code}`}`),
      new Promise<string>((resolve) => {
        timer = setTimeout(() => resolve(`not ready after ${START_MS / 1000} s`), START_MS);
      }),
    ]);
    clearTimeout(timer);
    if (outcome !== 'ready') throw new Error(`the ${this.role} ${outcome}:\n${this.text}`);
  }
}
