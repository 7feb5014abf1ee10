import { Injectable, Logger } from '@nestjs/common';
import { EnhanceQueue } from '../../infra/queue/enhance-queue.js';
import { JobMessagesRepository, type WaitingJob } from './job-messages.repository.js';

const BATCH = 500;
/** The api enqueues right after its commit; an older row without a message was lost. */
const ENQUEUE_GRACE_MS = 2_000;
/** Messages of a round for jobs that had one before: workers with free capacity also look for jobs without one. */
const REPEATED_MESSAGES = 10;
const QUEUE_START = new Date(0);

/** Sends the queue's messages of waiting jobs again when they may be lost. */
@Injectable()
export class LostMessages {
  private readonly logger = new Logger('sweeper');
  /** Start of the part of the queue for the next round; null: the beginning. */
  private nextPart: Date | null = null;

  constructor(
    private readonly messages: JobMessagesRepository,
    private readonly queue: EnhanceQueue,
  ) {}

  /** Enqueues jobs of one part of the queue that may have no message. Each call reads the next part. */
  async enqueueForgotten(): Promise<void> {
    const { jobs: waiting, endsAt } = await this.messages.unenqueued(
      ENQUEUE_GRACE_MS,
      BATCH,
      this.nextPart ?? QUEUE_START,
    );
    const forgotten = waiting.filter((job) => job.forgotten);
    const others = waiting.filter((job) => !job.forgotten);
    await this.enqueue(waiting, [...forgotten, ...others.slice(0, REPEATED_MESSAGES)]);
    // After a full batch, jobs of this part remain for the next round.
    if (waiting.length < BATCH) this.nextPart = endsAt;
    if (forgotten.length > 0)
      this.logger.log({ count: forgotten.length }, 'enqueued queued jobs without a message');
  }

  /** @param senders the jobs whose messages are sent; they wake workers for all */
  async enqueue(jobs: readonly WaitingJob[], senders = jobs): Promise<void> {
    if (jobs.length === 0) return;
    await this.queue.addMany(senders);
    await this.messages.markEnqueued(jobs);
  }
}
