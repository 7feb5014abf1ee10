import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';

export const ENHANCE_QUEUE = 'enhance';

/** A message carries an id only; what the job is stands in its row. */
export interface EnhanceMessage {
  readonly jobId: string;
}

/** Wakes workers. Not the truth: a message may be lost or come twice, the job's row decides. */
@Injectable()
export class EnhanceQueue implements OnModuleInit {
  private readonly logger = new Logger('queue');

  constructor(@InjectQueue(ENHANCE_QUEUE) private readonly queue: Queue<EnhanceMessage>) {
    // Without a listener an error event would end the process. What could not be added, the sweeper adds.
    queue.on('error', (error) => this.logger.warn({ error: String(error) }, 'queue error'));
  }

  /**
   * BullMQ remembers a failed first connection for ever, so one must fail the start, which is then tried
   * again.
   */
  async onModuleInit(): Promise<void> {
    await this.queue.waitUntilReady();
  }

  /**
   * Adds a message for each job; adding it again while it waits does nothing. How often the job was in hand
   * before is part of the message's id, so that what a worker that lost it or gave it back still holds blocks
   * nothing.
   */
  async addMany(jobs: readonly { readonly id: string; readonly claims: number }[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.queue.addBulk(
      jobs.map(({ id, claims }) => ({
        name: 'enhance',
        data: { jobId: id },
        opts: { jobId: `${id}-${claims}` },
      })),
    );
  }

  /** As `addMany`, for a job that nobody has had in hand yet. */
  async addNew(jobId: string): Promise<void> {
    await this.queue.add('enhance', { jobId }, { jobId: `${jobId}-0` });
  }
}
