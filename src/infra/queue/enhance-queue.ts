import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { within } from '../../kernel/concurrency/within.js';

/** A sweep and a shutdown wait for the queue, which may never respond. */
const ADD_LIMIT_MS = 5_000;

export const ENHANCE_QUEUE = 'enhance';

/** A message contains only an id; the job's row contains the rest. */
export interface EnhanceMessage {
  readonly jobId: string;
}

/** The queue did not accept messages. Its codes are not those of the database, such as `ECONNREFUSED`. */
export class QueueUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the queue is unavailable: ${String(cause)}`, { cause });
  }
}

/** Wakes workers. Not authoritative: a message may be lost or arrive twice; the job's row decides. */
@Injectable()
export class EnhanceQueue implements OnModuleInit {
  private readonly logger = new Logger('queue');

  constructor(@InjectQueue(ENHANCE_QUEUE) private readonly queue: Queue<EnhanceMessage>) {
    // Without a listener, an error event would end the process. The sweeper adds messages that could not be added.
    queue.on('error', (error) => this.logger.warn({ error: String(error) }, 'queue error'));
  }

  /**
   * BullMQ never retries a failed first connection, so a failure must fail startup, which is then retried.
   */
  async onModuleInit(): Promise<void> {
    await this.queue.waitUntilReady();
  }

  /**
   * Adds a message for each job; adding it again while it waits does nothing. The message's id contains the number of
   * earlier claims, so that it is not blocked by a message still held by a worker that lost or released the job.
   * @throws QueueUnavailable
   */
  async addMany(jobs: readonly { readonly id: string; readonly claims: number }[]): Promise<void> {
    if (jobs.length === 0) return;
    const messages = jobs.map(({ id, claims }) => ({
      name: 'enhance',
      data: { jobId: id },
      opts: { jobId: `${id}-${claims}` },
    }));
    await accepted(this.queue.addBulk(messages));
  }

  /** Like `addMany`, for one job that was never claimed. */
  async addNew(jobId: string): Promise<void> {
    await accepted(this.queue.add('enhance', { jobId }, { jobId: `${jobId}-0` }));
  }
}

async function accepted(adding: Promise<unknown>): Promise<void> {
  try {
    await within(ADD_LIMIT_MS, adding);
  } catch (error) {
    throw new QueueUnavailable(error);
  }
}
