import type { Log } from '../infra/database/embedded/log.js';
import type { Role } from '../roles/role-settings.js';
import { RestartBackoff } from './restart-backoff.js';
import { type RoleExit, RoleInstance } from './role-instance.js';
import { StartError } from './start-error.js';

/** Exit code of a role whose configuration is wrong: starting it again would change nothing. */
const EXIT_CONFIG = 78;
/** Failures before the role was ever ready after which the start is given up; likewise of a successor. */
const START_ATTEMPTS = 3;
/** How long a process that was replaced may take to end, unless told otherwise. */
const GRACE_MS = 60_000;
/** How long a successor may take to get ready, unless told otherwise. */
const TAKEOVER_LIMIT_MS = 300_000;

export interface RoleProcessOptions {
  readonly role: Role;
  /** The program, absolute. */
  readonly program: string;
  /** Read anew at each start, since the database may have moved. */
  readonly environment: () => Record<string, string>;
  readonly log: Log;
  /** Told of every process that held leases and has ended, however it ended. */
  readonly onLeasesLeft?: (leaseOwner: string) => void;
  /** How long a process that was replaced may take to end. */
  readonly graceMs?: number;
  /** How long a successor may take to get ready before it is killed. */
  readonly takeoverLimitMs?: number;
}

/**
 * Keeps one role running: starts it again when it dies, with a growing pause, until it is told to stop. A process may
 * ask for a successor: that one is started beside it, and only when it is ready the first one drains and ends. So
 * there is never a moment without the role, and a successor that does not get ready, or declines, changes nothing.
 */
export class RoleProcess {
  /** Resolves at the first `ready`; rejects with a StartError when the role cannot get there. */
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
  /** Another successor was asked for while one started: that one may have read what is no longer wanted. */
  private isAskedAgain = false;
  private settle!: { resolve: () => void; reject: (error: StartError) => void };

  constructor(private readonly options: RoleProcessOptions) {
    this.ready = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // Whoever waits for it is told; a role that is stopped early has nobody waiting.
    this.ready.catch(() => undefined);
  }

  start(): void {
    this.current = this.begin();
  }

  /** Starts it before there is a database: it loads itself meanwhile, and begins at `release`. */
  startHeld(): void {
    this.isHeld = true;
    this.start();
  }

  /** What was held begins, with the database at this address. */
  release(databaseUrl: string): void {
    this.isHeld = false;
    this.current?.send({ type: 'begin', databaseUrl });
  }

  /** Ends the current process, so that a new one reads the environment. */
  restart(): void {
    this.successor?.terminate();
    this.current?.terminate();
  }

  /** Drains it and resolves when it has ended; it is killed when that takes longer than `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.isWanted = false;
    this.clearTimers();
    await Promise.all(this.lives().map((life) => life.leave(graceMs)));
  }

  /** Ends it at once. */
  kill(): void {
    this.isWanted = false;
    this.clearTimers();
    for (const life of this.lives()) life.kill();
  }

  private lives(): readonly RoleInstance[] {
    return [this.current, this.successor, ...this.leaving].filter((life) => life !== undefined);
  }

  private begin(): RoleInstance {
    const { role, program, environment, log } = this.options;
    const life: RoleInstance = new RoleInstance({
      name: role,
      program,
      environment: environment(),
      isHeld: this.isHeld,
      log,
      onReplace: () => this.replace(life),
      predecessor: () => (life === this.successor ? (this.current?.standing ?? null) : null),
    });
    void life.ready.then(() => this.onReady(life));
    void life.ended.then((end) => this.onEnd(life, end));
    return life;
  }

  /**
   * Only for the process in charge, and one successor at a time: that one looks for itself when it is in charge. When
   * it does not get there, what was asked for meanwhile is tried.
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
    const successor = this.begin();
    this.successor = successor;
    this.limit = setTimeout(() => {
      successor.objection = `it was not ready after ${takeoverLimitMs / 1000} s`;
      log.error(`the new ${role} was not ready after ${takeoverLimitMs / 1000} s and is killed`);
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
      log.warn(`${role} ended (${reason(end)}) while its successor starts`);
      return;
    }
    clearTimeout(this.timer);
    if (!this.wasReady) {
      this.failures += 1;
      if (end.code === EXIT_CONFIG || this.failures >= START_ATTEMPTS) {
        this.isWanted = false;
        this.settle.reject(
          new StartError(`The ${role} does not start (${reason(end)}); the lines above say why.`),
        );
        return;
      }
    }
    this.startAgain(end);
  }

  private startAgain(end: RoleExit): void {
    const pauseMs = this.pause.after(end.livedMs);
    this.options.log.warn(`${this.options.role} ended (${reason(end)}); starting it again in ${pauseMs} ms`);
    this.timer = setTimeout(() => this.start(), pauseMs);
  }

  private onSuccessorEnd({ objection }: RoleInstance, end: RoleExit): void {
    clearTimeout(this.limit);
    this.successor = undefined;
    if (!this.isWanted) return;
    const { role, log } = this.options;
    // Nobody is in charge: whatever starts now reads the same models that the successor would have.
    if (this.current === undefined) return this.startAgain(end);
    this.failures = this.isAskedAgain ? 1 : this.failures + 1;
    if (objection !== undefined) return this.stay(objection);
    if (end.code === EXIT_CONFIG || this.failures >= START_ATTEMPTS)
      return this.stay(`it does not start (${reason(end)})`);
    const pauseMs = this.pause.after(end.livedMs);
    log.warn(`the new ${role} ended before it was ready (${reason(end)}); trying again in ${pauseMs} ms`);
    this.timer = setTimeout(() => {
      if (this.current !== undefined && this.successor === undefined) this.beginSuccessor();
    }, pauseMs);
  }

  /** No successor is started any more until another is asked for, which may have been done by now. */
  private stay(why: string): void {
    const { role, log } = this.options;
    if (this.isAskedAgain) {
      log.warn(`the new ${role} does not take over: ${why}; something else is wanted meanwhile`);
      this.failures = 0;
      return this.beginSuccessor();
    }
    log.error(`the new ${role} does not take over: ${why}; the one before goes on`);
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
