import { Inject, Injectable } from '@nestjs/common';
import { EventStream } from '../../common/events/event-stream.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';
import { JobChanges } from './job-changes.js';
import { JobPresenter, type JobWithSource } from '../job-presenter.js';
import { hasEnded } from './job-wait.js';
import { QueuePositions } from './queue-positions.js';

const RECONNECT_MS = 2_000;
const TOO_MANY = 'Too many requests are waiting, for this account or in total. Poll the job instead.';
const ENDING = 'This server is shutting down. Retry in a few seconds.';

/** Streams a job as server-sent events until it has ended. */
@Injectable()
export class JobStream {
  constructor(
    private readonly changes: JobChanges,
    private readonly positions: QueuePositions,
    private readonly presenter: JobPresenter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Every event is a `job` with its complete state, so a reconnect loses nothing. The first event is the
   * current state, unless `lastEventId` identifies it.
   * @param read reads the current job; its errors are thrown
   * @returns null when the job had ended and the client knows it
   * @throws AppError `service_unavailable` when too many wait, or the process ends
   */
  async open(
    key: { readonly accountId: string; readonly id: string },
    read: () => Promise<JobWithSource>,
    lastEventId: string | undefined,
  ): Promise<EventStream | null> {
    if (!this.changes.hasRoomFor(key.accountId))
      throw new AppError('service_unavailable', {
        detail: this.changes.isEnding ? ENDING : TOO_MANY,
        retryAfterSeconds: 5,
      });
    const follower = new Follower(this.presenter, this.positions, lastEventId);
    const stop = this.changes.watch(key.accountId, key.id, (job) => follower.see(job));
    let stream: EventStream | null = null;
    try {
      const job = await read();
      const isKnown = hasEnded(job) && stateIdOf(job) === lastEventId;
      if (!isKnown) stream = follower.start(job);
      return stream;
    } finally {
      if (stream === null) stop();
      else this.endWith(stream, stop);
    }
  }

  /** The key was checked when the stream started; the time limit ends streams of revoked keys. */
  private endWith(stream: EventStream, stop: () => void): void {
    const timer = setTimeout(() => stream.finish(), this.config.eventStreamSeconds * 1000).unref();
    stream.once('close', () => {
      clearTimeout(timer);
      stop();
    });
  }
}

/** What one client has received. */
class Follower {
  private stream: EventStream | null = null;
  private job: JobWithSource | null = null;
  private position: number | null = null;
  private leaveQueue: (() => void) | null = null;

  constructor(
    private readonly presenter: JobPresenter,
    private readonly positions: QueuePositions,
    private told: string | undefined,
  ) {}

  start(job: JobWithSource): EventStream {
    this.stream = new EventStream(RECONNECT_MS);
    this.stream.once('close', () => this.queue(false, job.id));
    this.see(this.job ?? job);
    return this.stream;
  }

  /** @param job the current state, or null when the process ends and the client should reconnect */
  see(job: JobWithSource | null): void {
    if (job !== null) this.job = job;
    if (this.stream === null) return;
    if (job === null) {
      this.stream.finish();
      return;
    }
    this.queue(job.status === 'queued', job.id);
    const id = stateIdOf(job);
    if (id !== this.told) this.tell(this.stream, job, id);
    if (hasEnded(job)) this.stream.finish();
  }

  /** Watches the queue position only while the job is queued. */
  private queue(isQueued: boolean, id: string): void {
    if (isQueued) this.leaveQueue ??= this.positions.watch(id, (position) => this.place(position));
    else {
      this.leaveQueue?.();
      this.leaveQueue = null;
      this.position = null;
    }
  }

  private place(position: number): void {
    if (this.stream === null || this.job?.status !== 'queued' || position === this.position) return;
    this.position = position;
    this.tell(this.stream, this.job, stateIdOf(this.job));
  }

  private tell(stream: EventStream, job: JobWithSource, id: string): void {
    this.told = id;
    const data = { job: this.presenter.present(job), queuePosition: this.position };
    stream.send({ event: 'job', id, data });
  }
}

/** Identifies a state of a job: equal in every process, and different after each visible change. */
function stateIdOf({ status, attempts, progress, deletedAt }: JobWithSource): string {
  return `${deletedAt === null ? status : 'deleted'}-${attempts}-${Math.round(progress * 1000)}`;
}
