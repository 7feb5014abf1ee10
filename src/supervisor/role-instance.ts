import { type ChildProcess, fork } from 'node:child_process';
import type { Log } from '../infra/database/embedded/log.js';
import { HELD, type RoleMessage, type ServingState, type SupervisorMessage } from '../roles/role-messages.js';

/** How a process ended. */
export interface RoleExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly livedMs: number;
}

export interface RoleInstanceOptions {
  readonly name: string;
  /** The program, absolute. */
  readonly program: string;
  readonly environment: Record<string, string>;
  /** It loads itself, and begins only when it is told `begin`. */
  readonly isHeld?: boolean;
  readonly log: Log;
  /** It asks for another process in its place. */
  readonly onReplace: () => void;
  /** What the process runs with that it is to replace; null when it replaces none. */
  readonly predecessor: () => ServingState | null;
}

/** One process of a role, from its start to its end. */
export class RoleInstance {
  /** Resolves when it is ready; never when it ends before. */
  readonly ready: Promise<void>;
  readonly ended: Promise<RoleExit>;
  /** What it said it runs with when it was ready. */
  standing: ServingState | null = null;
  /** First part of the tokens of its leases; undefined when it holds none. */
  leaseOwner: string | undefined;
  /** Why it would not take over, or why it was not let. */
  objection: string | undefined;
  private readonly child: ChildProcess;
  private readonly startedMs = performance.now();
  private isLeaving = false;
  private canRetire = false;

  constructor(private readonly options: RoleInstanceOptions) {
    const { name, program, environment, isHeld = false, log } = options;
    const child = fork(program, isHeld ? [HELD] : [], {
      env: environment,
      execArgv: [],
      // Logs go to stderr: stdout carries nothing but the ready line.
      stdio: ['ignore', 2, 2, 'ipc'],
      // A session of its own: Ctrl-C reaches the supervisor alone, which stops the roles in order.
      detached: true,
    });
    this.child = child;
    this.ready = new Promise((resolve) => {
      child.on('message', (message) => this.onMessage(message as RoleMessage, resolve));
    });
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void =>
        resolve({ code, signal, livedMs: performance.now() - this.startedMs });
      child.once('error', (error) => {
        log.error(`${name}: ${error.message}`);
        // One that could not be started says no `exit`.
        if (child.pid === undefined) end(1, null);
      });
      child.once('exit', end);
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Says something to it; one that has ended hears nothing. */
  send(message: SupervisorMessage): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  /** Asks it to end, whenever it can. */
  terminate(): void {
    this.child.kill('SIGTERM');
  }

  /** Lets it end once no job needs it, if it knows how to; otherwise drains it as `leave` does. */
  async retire(graceMs: number): Promise<void> {
    if (!this.canRetire) return this.leave(graceMs);
    this.send({ type: 'retire' });
    await this.ended;
  }

  /** Drains it and resolves when it has ended; it is killed when that takes longer than `graceMs`. */
  async leave(graceMs: number): Promise<void> {
    const timer = setTimeout(() => {
      this.options.log.error(`${this.options.name} did not end in time and is killed`);
      this.kill();
    }, graceMs);
    // A second SIGTERM would say nothing new.
    if (!this.isLeaving) this.terminate();
    this.isLeaving = true;
    await this.ended;
    clearTimeout(timer);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private onMessage(message: RoleMessage, ready: () => void): void {
    switch (message.type) {
      case 'ready':
        this.standing = message.standing ?? null;
        this.canRetire = message.canRetire ?? false;
        ready();
        return;
      case 'leases':
        this.leaseOwner = message.owner;
        return;
      case 'replace':
        this.options.onReplace();
        return;
      case 'whose-successor':
        this.send({ type: 'predecessor', standing: this.options.predecessor() });
        return;
      case 'declined':
        // It waits for this: its exit could overtake its last word.
        this.objection = message.reason;
        this.kill();
    }
  }
}
