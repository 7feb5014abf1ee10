import { type ChildProcess, fork } from 'node:child_process';
import type { Log } from '../../infra/database/embedded/log.js';
import type { Role } from '../role/role-settings.js';
import { RestartPause } from './restart-pause.js';
import { StartError } from './start-error.js';

/** Exit code of a role whose configuration is wrong: starting it again would change nothing. */
const EXIT_CONFIG = 78;
/** Failures before the role was ever ready after which the start is given up. */
const START_ATTEMPTS = 3;

export interface RoleProcessOptions {
  readonly role: Role;
  /** The program, absolute. */
  readonly program: string;
  /** Read anew at each start, since the database may have moved. */
  readonly environment: () => Record<string, string>;
  readonly log: Log;
}

/** Keeps one role running: starts it again when it dies, with a growing pause, until it is told to stop. */
export class RoleProcess {
  /** Resolves at the first `ready`; rejects with a StartError when the role cannot get there. */
  readonly ready: Promise<void>;
  private readonly pause = new RestartPause();
  private child: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private wasReady = false;
  private isWanted = true;
  private settle!: { resolve: () => void; reject: (error: StartError) => void };

  constructor(private readonly options: RoleProcessOptions) {
    this.ready = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // Whoever waits for it is told; a role that is stopped early has nobody waiting.
    this.ready.catch(() => undefined);
  }

  start(): void {
    const { role, program, log } = this.options;
    const startedMs = performance.now();
    const child = fork(program, [], {
      env: this.options.environment(),
      execArgv: [],
      // Logs go to stderr: stdout carries nothing but the ready line.
      stdio: ['ignore', 2, 2, 'ipc'],
      // A session of its own: Ctrl-C reaches the supervisor alone, which stops the roles in order.
      detached: true,
    });
    this.child = child;
    child.on('message', (message) => {
      if (isReady(message)) this.onReady();
    });
    child.once('error', (error) => log.error(`${role}: ${error.message}`));
    child.once('exit', (code, signal) => this.onExit(code, signal, performance.now() - startedMs));
  }

  /** Ends the current process, so that a new one reads the environment. */
  restart(): void {
    this.child?.kill('SIGTERM');
  }

  /** Drains it and resolves when it has ended; it is killed when that takes longer than `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.isWanted = false;
    clearTimeout(this.timer);
    const { child } = this;
    if (child === undefined) return;
    const timer = setTimeout(() => {
      this.options.log.error(`${this.options.role} did not end in time and is killed`);
      child.kill('SIGKILL');
    }, graceMs);
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
    clearTimeout(timer);
  }

  /** Ends it at once. */
  kill(): void {
    this.isWanted = false;
    clearTimeout(this.timer);
    this.child?.kill('SIGKILL');
  }

  private onReady(): void {
    this.wasReady = true;
    this.settle.resolve();
  }

  private onExit(code: number | null, signal: NodeJS.Signals | null, livedMs: number): void {
    this.child = undefined;
    if (!this.isWanted) return;
    const { role, log } = this.options;
    const reason = signal ?? `exit code ${code}`;
    if (!this.wasReady) {
      this.failures += 1;
      if (code === EXIT_CONFIG || this.failures >= START_ATTEMPTS) {
        this.isWanted = false;
        this.settle.reject(
          new StartError(`The ${role} does not start (${reason}); the lines above say why.`),
        );
        return;
      }
    }
    const pauseMs = this.pause.after(livedMs);
    log.warn(`${role} ended (${reason}); starting it again in ${pauseMs} ms`);
    this.timer = setTimeout(() => this.start(), pauseMs);
  }
}

function isReady(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}
