import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Queryable } from '../../infra/database/database.js';
import { RepeatedTexts, withRepeats } from '../../infra/telemetry/repeated-texts.js';
import { inContext } from '../../infra/telemetry/tracing/work-context.js';
import { EnhanceQueue } from '../../infra/queue/enhance-queue.js';
import { livemodeOf } from '../../kernel/accounts/livemode.js';
import type { Principal } from '../../kernel/principal.js';
import { JobMessagesRepository, type WaitingJob } from '../queue/job-messages.repository.js';
import { requireRoomForTest } from '../test-mode/test-queue.js';
import { PixelRateLimit } from './pixel-rate-limit.js';
import { QueueGauge } from '../queue/queue-gauge.js';

/** Much shorter than the sweeper's grace period. */
const NOTE_AFTER_MS = 250;
/** The most messages that the jobs of one note share. Only workers with free capacity need them. */
const SHARED_MESSAGES = 10;

/**
 * Enqueues committed jobs. A message wakes a worker, which then runs jobs until none waits. So while many jobs wait, new
 * ones share a few messages. A lost message does no harm: the sweeper finds queued rows without one.
 */
@Injectable()
export class JobDispatch implements OnApplicationShutdown {
  private readonly logger = new Logger('jobs');
  private readonly failures = new RepeatedTexts();
  private readonly pending = new Set<Promise<void>>();
  private readonly enqueued: WaitingJob[] = [];
  /** Jobs that will share messages. */
  private readonly sharing: string[] = [];
  private noteTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly queue: EnhanceQueue,
    private readonly gauge: QueueGauge,
    private readonly pixelRate: PixelRateLimit,
    private readonly messages: JobMessagesRepository,
  ) {}

  /** Whether a new job counts against a limit, and so must be created in a transaction. */
  isCounted(principal: Principal): boolean {
    return this.pixelRate.limits(principal) || !livemodeOf(principal.accountId);
  }

  /**
   * @throws AppError `pixel_rate_limited`; `service_unavailable` when the queue is full; in test mode `rate_limited`
   * while too many jobs of the account wait
   */
  async admit(on: Queryable, principal: Principal, pixels: number, jobs = 1): Promise<void> {
    await this.pixelRate.take(on, principal, pixels);
    if (!livemodeOf(principal.accountId)) return requireRoomForTest(on, principal.accountId, jobs);
    await this.gauge.admit(on, pixels);
  }

  /** Returns capacity that was admitted for jobs that were not created. Test jobs take none. */
  withdraw({ accountId }: Principal, pixels: number): void {
    if (livemodeOf(accountId)) this.gauge.withdraw(pixels);
  }

  /** Enqueues a new job in the background; the job is already committed. */
  enqueueSoon(principal: Principal, jobId: string): void {
    // Test jobs have their own lane, and the length of the queue says nothing about it.
    if (this.gauge.isBacklogged && livemodeOf(principal.accountId)) {
      this.sharing.push(jobId);
      this.noteSoon([]);
      return;
    }
    this.inBackground(
      this.queue.addNew(jobId).then(() => this.noteSoon([jobId])),
      { jobId },
    );
  }

  /** Like `enqueueSoon`, for many jobs at once. */
  enqueueManySoon(jobIds: readonly string[]): void {
    const adding = this.queue.addMany(jobIds.map((id) => ({ id, claims: 0 })));
    this.inBackground(
      adding.then(() => this.noteSoon(jobIds)),
      { jobs: jobIds.length },
    );
  }

  private inBackground(work: Promise<void>, fields: Readonly<Record<string, unknown>>): void {
    const adding = work
      .catch((error: unknown) => this.warn(error, fields))
      .finally(() => this.pending.delete(adding));
    this.pending.add(adding);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
    // A lost note only costs the sweeper a duplicate message.
    clearTimeout(this.noteTimer);
  }

  /**
   * Records in batches that jobs have their message; until then the sweeper may send it again. Sends the messages that
   * jobs share.
   */
  private noteSoon(jobIds: readonly string[]): void {
    for (const id of jobIds) this.enqueued.push({ id, claims: 0 });
    this.noteTimer ??= setTimeout(() => {
      this.noteTimer = undefined;
      // A note covers many requests, so it belongs to none of their traces.
      inContext({}, () => this.note()).catch((error: unknown) =>
        this.logger.warn({ error: String(error) }, 'could not record sent messages'),
      );
    }, NOTE_AFTER_MS);
  }

  private async note(): Promise<void> {
    const enqueued = this.enqueued.splice(0);
    const sharing = this.sharing.splice(0);
    const sent = await Promise.allSettled(
      sharing.slice(0, SHARED_MESSAGES).map((id) => this.queue.addNew(id)),
    );
    const failed = sent.find((result) => result.status === 'rejected');
    if (failed === undefined) enqueued.push(...sharing.map((id) => ({ id, claims: 0 })));
    else this.warn(failed.reason, { jobs: sharing.length });
    await this.messages.markEnqueued(enqueued);
  }

  /** Logs each error at most once a minute: while Redis is down, every new job fails with the same one. */
  private warn(error: unknown, fields: Readonly<Record<string, unknown>>): void {
    const text = String(error);
    const unlogged = this.failures.due(text);
    if (unlogged === undefined) return;
    this.logger.warn({ ...fields, ...withRepeats(text, unlogged) }, 'could not enqueue; the sweeper will');
  }
}
