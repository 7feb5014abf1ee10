import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { HeldRequestLimit } from '../../kernel/concurrency/held-request-limit.js';
import { Notifications } from '../../infra/database/notifications.js';
import type { JobWithSource } from '../job-presenter.js';
import { JobsRepository } from '../jobs.repository.js';

/** Called with each new state of a job, in order, and with null when this process ends. Must not throw. */
export type JobListener = (job: JobWithSource | null) => void;

/** A watched job: its listeners, each with its account. */
interface Watched {
  readonly listeners: Map<JobListener, string>;
  reading: boolean;
  /** The job changed again while it was being read. */
  stale: boolean;
}

/** Delay after a failed read. */
const RETRY_MS = 1_000;

/**
 * Notifies listeners of job changes. After a notification of PostgreSQL, the row is read once for all
 * listeners in this process.
 */
@Injectable()
export class JobChanges implements OnModuleDestroy {
  private readonly logger = new Logger('job-changes');
  private readonly watched = new Map<string, Watched>();
  private readonly heldRequests: HeldRequestLimit;
  private unsubscribe: (() => void) | undefined;
  private closing = false;

  constructor(
    private readonly notifications: Notifications,
    private readonly jobs: JobsRepository,
    @Inject(CONFIG) config: Config,
  ) {
    this.heldRequests = new HeldRequestLimit(config.maxWaitingRequests, config.maxWaitingRequestsPerAccount);
  }

  /**
   * Whether another request of this account may wait; if not, or while this process ends, clients must poll.
   */
  hasRoomFor(accountId: string): boolean {
    return !this.closing && this.heldRequests.isFree(accountId);
  }

  /** Whether the process is shutting down: clients should reconnect to another one. */
  get isEnding(): boolean {
    return this.closing;
  }

  /** The number of current listeners. */
  get watchers(): number {
    return this.heldRequests.count;
  }

  /**
   * Call this before reading the job, so that no change is missed.
   * @param accountId whose job it must be; changes of others are not reported
   * @returns stops watching
   */
  watch(accountId: string, id: string, listener: JobListener): () => void {
    this.unsubscribe ??= this.notifications.subscribe('job_changed', (changed) => this.heard(changed));
    const entry = this.watched.get(id) ?? { listeners: new Map(), reading: false, stale: false };
    this.watched.set(id, entry);
    entry.listeners.set(listener, accountId);
    const release = this.heldRequests.take(accountId);
    return () => {
      if (!entry.listeners.delete(listener)) return;
      release();
      if (entry.listeners.size === 0 && this.watched.get(id) === entry) this.watched.delete(id);
    };
  }

  onModuleDestroy(): void {
    this.closing = true;
    this.unsubscribe?.();
    for (const { listeners } of this.watched.values()) {
      for (const listener of listeners.keys()) listener(null);
    }
  }

  /** @param changed the id of a job, or null when notifications may have been missed */
  private heard(changed: string | null): void {
    for (const id of changed === null ? [...this.watched.keys()] : [changed]) this.refresh(id);
  }

  private refresh(id: string): void {
    const entry = this.watched.get(id);
    if (entry === undefined || this.closing) return;
    if (entry.reading) entry.stale = true;
    else void this.read(id, entry);
  }

  private async read(id: string, entry: Watched): Promise<void> {
    entry.reading = true;
    entry.stale = false;
    try {
      const job = await this.jobs.readById(id);
      // The row is gone together with its account: there is nobody to notify.
      if (job === undefined) for (const listener of entry.listeners.keys()) listener(null);
      else if (!this.closing) tell(entry, job);
    } catch (error) {
      this.logger.warn(`could not read a watched job; retrying in ${RETRY_MS} ms: ${String(error)}`);
      setTimeout(() => this.refresh(id), RETRY_MS).unref();
    }
    entry.reading = false;
    if (entry.stale) this.refresh(id);
  }
}

function tell({ listeners }: Watched, job: JobWithSource): void {
  for (const [listener, accountId] of listeners) if (accountId === job.accountId) listener(job);
}
