import type { Log } from '../infra/database/embedded/log.js';
import type { Role } from '../roles/role-settings.js';
import { RestartBackoff } from './restart-backoff.js';
import { type RoleExit, RoleInstance } from './role-instance.js';
import { StartError } from '../roles/start-error.js';

/** Exit code of a role whose configuration is wrong: a restart would not help. */
const EXIT_CONFIG = 78;
/** Maximum attempts to start a role before its first `ready`. The same limit applies to a successor. */
const START_ATTEMPTS = 3;
/** Default time for a replaced process to exit. */
const GRACE_MS = 60_000;
/** Default time for a successor to become ready. */
const TAKEOVER_LIMIT_MS = 300_000;

export interface RoleProcessOptions {
  readonly role: Role;
  /** Absolute path of the program. */
  readonly program: string;
  /** Read at each start, because the database may have moved. */
  readonly environment: () => Record<string, string>;
  readonly log: Log;
  /** Called for every exited process that may have held leases. */
  readonly onLeasesLeft?: (leaseOwner: string) => void;
  /** Time for a replaced process to exit. */
  readonly graceMs?: number;
  /** Time for a successor to become ready before it is killed. */
  readonly takeoverLimitMs?: number;
}

/**
 * Keeps one role running: restarts it with exponential backoff when it dies, until it is stopped. A process may request
 * a successor, which starts while the first process keeps running. When the successor is ready, the first process
 * drains and exits. So the role is always available, and a successor that fails or declines changes nothing.
 */
export class RoleProcess {
  /** Resolves at the first `ready`; rejects with a StartError when the role cannot start. */
  readonly ready: Promise<void>;
  private readonly pause = new RestartBackoff();
  private current: RoleInstance | undefined;
  private successor: RoleInstance | undefined;
  private readonly leaving = new Set<RoleInstance>();
  private timer: NodeJS.Timeout | undefined;
  private limit: NodeJS.Timeout | undefined;
  private failures = 0;
  private wasReady = false;
  private isWanted = true;
  private isHeld = false;
  /** Whether a successor was requested while another one was starting, which may have read outdated models. */
  private isAskedAgain = false;
  private settle!: { resolve: () => void; reject: (error: StartError) => void };

  constructor(private readonly options: RoleProcessOptions) {
    this.ready = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // Callers that await `ready` get the error. A role that is stopped early may have no such caller.
    this.ready.catch(() => undefined);
  }

  start(): void {
    this.current = this.begin();
  }

  /** Starts the role before the database is ready: it loads its modules and continues after `release`. */
  startHeld(): void {
    this.isHeld = true;
    this.start();
  }

  /** Continues a held start, with the database at this URL. */
  release(databaseUrl: string): void {
    this.isHeld = false;
    this.current?.send({ type: 'begin', databaseUrl });
  }

  /** Ends all processes, so that the replacement reads the new environment. The old one serves none of them. */
  restart(): void {
    for (const life of this.lives()) life.terminate();
  }

  /** Drains the role and resolves when it has exited. Kills it when that takes longer than `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.isWanted = false;
    this.clearTimers();
    await Promise.all(this.lives().map((life) => life.leave(graceMs)));
  }

  /** Kills the role. */
  kill(): void {
    this.isWanted = false;
    this.clearTimers();
    for (const life of this.lives()) life.kill();
  }

  private lives(): readonly RoleInstance[] {
    return [this.current, this.successor, ...this.leaving].filter((life) => life !== undefined);
  }

  private begin(isSuccessor = false): RoleInstance {
    const { role, program, environment, log } = this.options;
    const life: RoleInstance = new RoleInstance({
      name: role,
      program,
      environment: environment(),
      isHeld: this.isHeld,
      isSuccessor,
      log,
      onReady: () => this.onReady(life),
      onReplace: () => this.replace(life),
      predecessor: () => (life === this.successor ? (this.current?.standing ?? null) : null),
    });
    void life.ended.then((end) => this.onEnd(life, end));
    return life;
  }

  /**
   * Starts a successor, only for the active process and only one at a time: the successor checks again once it is
   * active. If it fails, the request that arrived in the meantime is tried.
   */
  private replace(asking: RoleInstance): void {
    if (!this.isWanted || asking !== this.current) return;
    if (this.successor !== undefined) {
      this.isAskedAgain = true;
      return;
    }
    clearTimeout(this.timer);
    this.failures = 0;
    this.beginSuccessor();
  }

  private beginSuccessor(): void {
    this.isAskedAgain = false;
    this.options.log.info(`starting another ${this.options.role}, which will take over`);
    const { role, log, takeoverLimitMs = TAKEOVER_LIMIT_MS } = this.options;
    const successor = this.begin(true);
    this.successor = successor;
    this.limit = setTimeout(() => {
      successor.objection = `it was not ready after ${takeoverLimitMs / 1000} s`;
      log.error(`the new ${role} was not ready after ${takeoverLimitMs / 1000} s; killing it`);
      successor.kill();
    }, takeoverLimitMs);
  }

  private onReady(life: RoleInstance): void {
    if (life === this.current) {
      this.wasReady = true;
      this.settle.resolve();
    }
    if (life !== this.successor || !this.isWanted) return;
    clearTimeout(this.limit);
    const before = this.current;
    this.current = life;
    this.successor = undefined;
    this.wasReady = true;
    this.options.log.info(`the new ${this.options.role} has taken over (pid ${life.pid})`);
    if (before === undefined) return;
    this.leaving.add(before);
    void before.retire(this.options.graceMs ?? GRACE_MS);
  }

  private onEnd(life: RoleInstance, end: RoleExit): void {
    this.leaving.delete(life);
    if (life.leaseOwner !== undefined) this.options.onLeasesLeft?.(life.leaseOwner);
    if (life === this.current) this.onCurrentEnd(end);
    else if (life === this.successor) this.onSuccessorEnd(life, end);
  }

  private onCurrentEnd(end: RoleExit): void {
    this.current = undefined;
    if (!this.isWanted) return;
    const { role, log } = this.options;
    if (this.successor !== undefined) {
      log.warn(`${role} exited (${reason(end)}) while its successor was starting`);
      return;
    }
    clearTimeout(this.timer);
    if (!this.wasReady) {
      this.failures += 1;
      if (end.code === EXIT_CONFIG || this.failures >= START_ATTEMPTS) {
        this.isWanted = false;
        this.settle.reject(
          new StartError(`The ${role} failed to start (${reason(end)}). See the log lines above.`),
        );
        return;
      }
    }
    this.startAgain(end);
  }

  private startAgain(end: RoleExit): void {
    const pauseMs = this.pause.after(end.livedMs);
    this.options.log.warn(`${this.options.role} exited (${reason(end)}); starting it again in ${pauseMs} ms`);
    this.timer = setTimeout(() => this.start(), pauseMs);
  }

  private onSuccessorEnd({ objection }: RoleInstance, end: RoleExit): void {
    clearTimeout(this.limit);
    this.successor = undefined;
    if (!this.isWanted) return;
    const { role, log } = this.options;
    // No process is active, so the next one reads the same models that the successor would have read.
    if (this.current === undefined) return this.startAgain(end);
    this.failures = this.isAskedAgain ? 1 : this.failures + 1;
    if (objection !== undefined) return this.stay(objection);
    if (end.code === EXIT_CONFIG || this.failures >= START_ATTEMPTS)
      return this.stay(`it failed to start (${reason(end)})`);
    const pauseMs = this.pause.after(end.livedMs);
    log.warn(`the new ${role} exited before it was ready (${reason(end)}); trying again in ${pauseMs} ms`);
    this.timer = setTimeout(() => {
      if (this.current !== undefined && this.successor === undefined) this.beginSuccessor();
    }, pauseMs);
  }

  /** Starts no further successor until one is requested again, which may have happened already. */
  private stay(why: string): void {
    const { role, log } = this.options;
    if (this.isAskedAgain) {
      log.warn(`the new ${role} did not take over: ${why}; another one was requested in the meantime`);
      this.failures = 0;
      return this.beginSuccessor();
    }
    log.error(`the new ${role} did not take over: ${why}; the previous one keeps running`);
    this.current?.send({ type: 'stays', reason: why });
  }

  private clearTimers(): void {
    clearTimeout(this.timer);
    clearTimeout(this.limit);
  }
}

function reason({ code, signal }: RoleExit): string {
  return signal ?? `exit code ${code}`;
}
