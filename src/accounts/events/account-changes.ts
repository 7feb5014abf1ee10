import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { EventStream } from '../../common/events/event-stream.js';
import { HeldRequestLimit } from '../../kernel/concurrency/held-request-limit.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Prepared } from '../../infra/database/database.js';
import { Notifications } from '../../infra/database/notifications.js';
import { AppError } from '../../kernel/app-error.js';

const ACCOUNTS_OF_JOBS: Prepared = {
  name: 'dashboard_accounts_of_jobs',
  text: 'SELECT DISTINCT account_id AS "accountId" FROM jobs WHERE id = ANY ($1)',
};

const RECONNECT_MS = 2_000;
/** Changes within this time are reported together, so a page reloads its list at most this often. */
const GATHER_MS = 700;
/** After this time the page reconnects, and its session is checked again. */
const MAX_STREAM_MS = 600_000;

/**
 * Notifies open pages that a job of their account has changed; pages then read the change themselves. Does nothing
 * while no page is open. Otherwise one small query covers all changes of an interval.
 */
@Injectable()
export class AccountChanges implements OnModuleDestroy {
  private readonly logger = new Logger('dashboard');
  private readonly streams = new Map<EventStream, string>();
  private readonly changed = new Set<string>();
  private readonly heldRequests: HeldRequestLimit;
  private unsubscribe: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private number = 0;

  constructor(
    private readonly notifications: Notifications,
    private readonly database: Database,
    @Inject(CONFIG) config: Config,
  ) {
    this.heldRequests = new HeldRequestLimit(config.maxWaitingRequests, config.maxPagesPerAccount);
  }

  /** @throws AppError `service_unavailable` when too many pages are open */
  open(accountId: string): EventStream {
    if (!this.heldRequests.isFree(accountId))
      throw new AppError('service_unavailable', {
        detail: 'Too many dashboard pages are open.',
        retryAfterSeconds: 30,
      });
    this.unsubscribe ??= this.notifications.subscribe('job_changed', (id) => this.heard(id));
    const stream = new EventStream(RECONNECT_MS);
    this.streams.set(stream, accountId);
    const leave = this.heldRequests.take(accountId);
    const end = setTimeout(() => stream.finish(), MAX_STREAM_MS).unref();
    stream.once('close', () => {
      clearTimeout(end);
      leave();
      this.forget(stream);
    });
    this.send(stream);
    return stream;
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
    this.unsubscribe?.();
    for (const stream of this.streams.keys()) stream.finish();
  }

  private forget(stream: EventStream): void {
    this.streams.delete(stream);
    if (this.streams.size > 0) return;
    this.unsubscribe?.();
    this.unsubscribe = undefined;
    this.changed.clear();
  }

  /** @param id of the changed job; null when notifications may have been missed */
  private heard(id: string | null): void {
    if (id === null) for (const stream of this.streams.keys()) this.send(stream);
    else this.changed.add(id);
    if (this.changed.size > 0) this.timer ??= setTimeout(() => void this.pass(), GATHER_MS).unref();
  }

  private async pass(): Promise<void> {
    this.timer = undefined;
    const ids = [...this.changed];
    this.changed.clear();
    try {
      const rows = await this.database.query<{ accountId: string }>(ACCOUNTS_OF_JOBS, [ids]);
      const accounts = new Set(rows.map(({ accountId }) => accountId));
      for (const [stream, accountId] of this.streams) if (accounts.has(accountId)) this.send(stream);
    } catch (error) {
      this.logger.warn(`could not read changed jobs; every page refreshes: ${String(error)}`);
      for (const stream of this.streams.keys()) this.send(stream);
    }
  }

  private send(stream: EventStream): void {
    stream.send({ event: 'jobs', id: String((this.number += 1)), data: {} });
  }
}
