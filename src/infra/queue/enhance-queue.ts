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

  /** BullMQ remembers a failed first connection for ever, so one must fail the start, which is then tried again. */
  async onModuleInit(): Promise<void> {
    await this.queue.waitUntilReady();
  }

  /**
   * Adds a message for the next attempt of a job; adding it again while it waits does nothing. The attempt
   * is part of its id, so that what a lost worker still holds cannot block the next attempt.
   */
  async add(jobId: string, attempts: number): Promise<void> {
    await this.queue.add('enhance', { jobId }, { jobId: `${jobId}-${attempts}` });
  }

  async addMany(jobs: readonly { readonly id: string; readonly attempts: number }[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.queue.addBulk(
      jobs.map(({ id, attempts }) => ({
        name: 'enhance',
        data: { jobId: id },
        opts: { jobId: `${id}-${attempts}` },
      })),
    );
  }
}
