import { type ChildProcess, fork } from 'node:child_process';
import type { Log } from '../infra/database/embedded/log.js';
import {
  HELD,
  type RoleMessage,
  type ServingState,
  SUCCESSOR,
  type SupervisorMessage,
} from '../roles/role-messages.js';

/** How a process exited. */
export interface RoleExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly livedMs: number;
}

export interface RoleInstanceOptions {
  readonly name: string;
  /** Absolute path of the program. */
  readonly program: string;
  readonly environment: Record<string, string>;
  /** The process loads its modules and continues only after `begin`. */
  readonly isHeld?: boolean;
  /** Another process of the role keeps running until this one is ready. */
  readonly isSuccessor?: boolean;
  readonly log: Log;
  /** Called when the process is ready, before its next message is read, which may request a replacement. */
  readonly onReady: () => void;
  /** Called when the process requests to be replaced. */
  readonly onReplace: () => void;
  /** Returns the settings of the process that this one replaces; null when it replaces none. */
  readonly predecessor: () => ServingState | null;
}

/** One process of a role, from start to exit. */
export class RoleInstance {
  readonly ended: Promise<RoleExit>;
  /** The settings that the process reported when it was ready. */
  standing: ServingState | null = null;
  /** Prefix of the process's lease tokens; undefined when it has no leases. */
  leaseOwner: string | undefined;
  /** Why the process declined to take over, or was not allowed to. */
  objection: string | undefined;
  private readonly child: ChildProcess;
  private readonly startedMs = performance.now();
  private isLeaving = false;
  private canRetire = false;

  constructor(private readonly options: RoleInstanceOptions) {
    const { name, program, environment, isHeld = false, isSuccessor = false, log } = options;
    const child = fork(program, [...(isHeld ? [HELD] : []), ...(isSuccessor ? [SUCCESSOR] : [])], {
      env: environment,
      execArgv: [],
      // Logs go to stderr; stdout contains only the ready line.
      stdio: ['ignore', 2, 2, 'ipc'],
      // A separate session: Ctrl-C reaches only the supervisor, which stops the roles in order.
      detached: true,
    });
    this.child = child;
    child.on('message', (message) => this.onMessage(message as RoleMessage));
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void =>
        resolve({ code, signal, livedMs: performance.now() - this.startedMs });
      child.once('error', (error) => {
        log.error(`${name}: ${error.message}`);
        // A process that failed to start emits no `exit`.
        if (child.pid === undefined) end(1, null);
      });
      child.once('exit', end);
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Sends the process a message. Does nothing after it has exited. */
  send(message: SupervisorMessage): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  /** Asks the process to exit. */
  terminate(): void {
    this.child.kill('SIGTERM');
  }

  /** Lets the process exit once no job needs it, if it supports that; otherwise drains it like `leave`. */
  async retire(graceMs: number): Promise<void> {
    if (!this.canRetire) return this.leave(graceMs);
    this.send({ type: 'retire' });
    await this.ended;
  }

  /** Drains the process and resolves when it has exited. Kills it when that takes longer than `graceMs`. */
  async leave(graceMs: number): Promise<void> {
    const timer = setTimeout(() => {
      this.options.log.error(`${this.options.name} did not exit in time; killing it`);
      this.kill();
    }, graceMs);
    // A second SIGTERM would change nothing.
    if (!this.isLeaving) this.terminate();
    this.isLeaving = true;
    await this.ended;
    clearTimeout(timer);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private onMessage(message: RoleMessage): void {
    switch (message.type) {
      case 'ready':
        this.standing = message.standing ?? null;
        this.canRetire = message.canRetire ?? false;
        this.options.onReady();
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
        // The process waits to be killed; otherwise, its exit could arrive before its last message.
        this.objection = message.reason;
        this.kill();
    }
  }
}
