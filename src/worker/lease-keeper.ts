import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { Notifications } from '../infra/database/notifications.js';
import { within } from '../kernel/concurrency/within.js';
import { JobLeaseRepository } from '../jobs/queue/job-lease.repository.js';
import { JobRequeuer } from './job-requeuer.js';
import type { JobRun } from './job-run.js';

/** Why a run was stopped from outside. `displaced`: another job needs its memory. */
export class RunStopped extends Error {
  constructor(readonly why: 'lost' | 'drain' | 'displaced') {
    super(`the run was stopped: ${why}`);
  }
}

/** Delay after a failed renewal. */
const RETRY_MS = 1_000;

interface Held {
  readonly run: JobRun;
  readonly abort: AbortController;
}

/**
 * Renews the leases of all running jobs with one statement, and stops jobs whose lease is lost: at once when
 * the database notifies it (a canceled job, a deleted account), with the next renewal at the latest.
 */
@Injectable()
export class LeaseKeeper implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('leases');
  private readonly held = new Map<string, Held>();
  private timer: NodeJS.Timeout | undefined;
  private isDraining = false;

  constructor(
    private readonly leases: JobLeaseRepository,
    private readonly requeuer: JobRequeuer,
    private readonly notifications: Notifications,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.notifications.subscribe('lease_ended', (token) => {
      if (token === null) void this.renewAfterGap();
      else this.held.get(token)?.abort.abort(new RunStopped('lost'));
    });
  }

  /** Keeps the lease of a run until `drop`. */
  keep(run: JobRun, abort: AbortController): void {
    if (this.isDraining) abort.abort(new RunStopped('drain'));
    this.held.set(run.lease.token, { run, abort });
    this.timer ??= setTimeout(() => void this.renew(), this.config.jobLeaseMs / 3);
  }

  drop(run: JobRun): void {
    this.held.delete(run.lease.token);
  }

  /**
   * Stops all current and future runs, and releases their leases at once, so that a run that takes long to
   * stop, or dies with the process, costs its job no attempt.
   */
  async stopAll(): Promise<void> {
    this.isDraining = true;
    const held = [...this.held.values()];
    for (const { abort } of held) abort.abort(new RunStopped('drain'));
    const released = await Promise.allSettled(
      held.map(({ run }) => this.requeuer.release(run.lease, run.job)),
    );
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
      // A hanging statement must not block the next one.
      if (held.length > 0) await within(periodMs, this.renewAll(held));
    } catch (error) {
      // The database may recover before the leases expire; otherwise the sweeper decides.
      this.logger.warn({ error: String(error) }, 'could not renew leases');
      pauseMs = Math.min(RETRY_MS, periodMs);
    } finally {
      this.timer = this.held.size > 0 ? setTimeout(() => void this.renew(), pauseMs) : undefined;
    }
  }

  /** Notifications were missed; a renewal shows which leases are still held. */
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
