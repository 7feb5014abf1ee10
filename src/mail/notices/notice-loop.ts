import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { errorLogger } from '../../infra/database/error-logger.js';
import { PeriodicTask } from '../../kernel/concurrency/periodic-task.js';
import { NoticeWriter } from './notice-writer.js';

/** Converts notices to emails every few seconds. */
@Injectable()
export class NoticeLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(writer: NoticeWriter, @Inject(CONFIG) { sweepIntervalMs }: Config) {
    const work = async (): Promise<void> => {
      await writer.writeDue();
    };
    this.task = new PeriodicTask(sweepIntervalMs, work, errorLogger('notices'));
  }

  onApplicationBootstrap(): void {
    this.task.begin();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.end();
  }
}
