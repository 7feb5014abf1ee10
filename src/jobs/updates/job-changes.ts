import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { HeldRequestLimit } from '../../kernel/concurrency/held-request-limit.js';
import { Notifications } from '../../infra/database/notifications.js';
import type { JobWithSource } from '../job-presenter.js';
import { JobsRepository } from '../jobs.repository.js';

/** Called with each new state of a job, in order; with null when this process ends. Must not throw. */
export type JobListener = (job: JobWithSource | null) => void;

/** One job that somebody watches: its listeners, each with the account that asks. */
interface Watched {
  readonly listeners: Map<JobListener, string>;
  reading: boolean;
  /** It moved on again while it was being read. */
  stale: boolean;
}

/** After a read that failed: the database is away, or full of work. */
const RETRY_MS = 1_000;

/**
 * Follows jobs for those who wait for them. PostgreSQL says that a job moved on; one read of its row then serves
 * all who watch it in this process, however many they are.
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

  /** Whether one more of an account may wait: past the caps, and while this process ends, clients must ask again. */
  hasRoomFor(accountId: string): boolean {
    return !this.closing && this.heldRequests.isFree(accountId);
  }

  /** Whether the process ends: whoever asks again meets another one. */
  get isEnding(): boolean {
    return this.closing;
  }

  /** How many watch now. */
  get watchers(): number {
    return this.heldRequests.count;
  }

  /**
   * Read the job after this call, not before: what happens in between is told to the listener.
   * @param accountId whose job it must be: nothing is told of another's
   * @returns ends the watch
   */
  watch(accountId: string, id: string, listener: JobListener): () => void {
    this.unsubscribe ??= this.notifications.subscribe('job_changed', (changed) => this.heard(changed));
    const entry = this.watched.get(id) ?? { listeners: new Map(), reading: false, stale: false };
    this.watched.set(id, entry);
    entry.listeners.set(listener, accountId);
    const leave = this.heldRequests.take(accountId);
    return () => {
      if (!entry.listeners.delete(listener)) return;
      leave();
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

  /** @param changed the id of a job, or null when anything may have changed unheard */
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
      // A job that is gone altogether went with its account: nobody has anything to wait for.
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
