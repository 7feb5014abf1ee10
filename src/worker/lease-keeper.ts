import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { Notifications } from '../infra/database/notifications.js';
import { JobLeaseRepository } from '../jobs/queue/job-lease.repository.js';
import type { JobRun } from './job-run.js';

/** Why a run was stopped from outside. */
export class RunStopped extends Error {
  constructor(readonly why: 'lost' | 'drain') {
    super(`the run was stopped: ${why}`);
  }
}

/** Pause after a renewal that failed: the database may be back any moment. */
const RETRY_MS = 1_000;

interface Held {
  readonly run: JobRun;
  readonly abort: AbortController;
}

/**
 * Renews the leases of all jobs in hand with one statement, and stops those that are no longer ours: at once when the
 * database notifies that a lease was ended (a canceled job, a deleted account), with the next renewal at the latest.
 */
@Injectable()
export class LeaseKeeper implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('leases');
  private readonly held = new Map<string, Held>();
  private timer: NodeJS.Timeout | undefined;
  private isDraining = false;

  constructor(
    private readonly leases: JobLeaseRepository,
    private readonly notifications: Notifications,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.notifications.subscribe('lease_ended', (token) => {
      if (token === null) void this.renewAfterGap();
      else this.held.get(token)?.abort.abort(new RunStopped('lost'));
    });
  }

  /** Looks after a run until `drop`. */
  keep(run: JobRun, abort: AbortController): void {
    if (this.isDraining) abort.abort(new RunStopped('drain'));
    this.held.set(run.lease.token, { run, abort });
    this.timer ??= setTimeout(() => void this.renew(), this.config.jobLeaseMs / 3);
  }

  drop(run: JobRun): void {
    this.held.delete(run.lease.token);
  }

  /**
   * Stops every run, and each that begins later, so that its job goes back to the queue. The leases are given back
   * at once: a run that takes long to notice, or is ended with the process, then costs its job no attempt.
   */
  async stopAll(): Promise<void> {
    this.isDraining = true;
    const held = [...this.held.values()];
    for (const { abort } of held) abort.abort(new RunStopped('drain'));
    const released = await Promise.allSettled(held.map(({ run }) => this.leases.release(run.lease)));
    for (const outcome of released) {
      if (outcome.status === 'rejected')
        this.logger.warn({ error: String(outcome.reason) }, 'could not release a lease');
    }
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private async renew(): Promise<void> {
    const periodMs = this.config.jobLeaseMs / 3;
    const held = [...this.held.values()];
    let pauseMs = periodMs;
    try {
      // A statement that hangs must not keep the next one from being tried.
      if (held.length > 0) await within(periodMs, this.renewAll(held));
    } catch (error) {
      // The database may be back before the leases run out; if not, the sweeper decides.
      this.logger.warn({ error: String(error) }, 'could not renew leases');
      pauseMs = Math.min(RETRY_MS, periodMs);
    } finally {
      this.timer = this.held.size > 0 ? setTimeout(() => void this.renew(), pauseMs) : undefined;
    }
  }

  /** Notifications were missed: a renewal tells which leases are still held. */
  private async renewAfterGap(): Promise<void> {
    const held = [...this.held.values()];
    if (held.length === 0) return;
    await this.renewAll(held).catch((error: unknown) =>
      this.logger.warn({ error: String(error) }, 'could not renew leases after a gap in notifications'),
    );
  }

  private async renewAll(held: readonly Held[]): Promise<void> {
    const leases = held.map(({ run }) => ({ ...run.lease, progress: run.progress }));
    const renewed = await this.leases.renew(leases, this.config.jobLeaseMs);
    for (const { run, abort } of held) {
      if (!renewed.has(run.lease.jobId)) abort.abort(new RunStopped('lost'));
    }
  }
}

/** @throws Error when `work` takes longer; it goes on all the same */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer after ${Math.round(limitMs)} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
