import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Notifications } from '../infra/database/notifications.js';
import type { LogTail } from '../infra/telemetry/log-tail.js';
import { ModelPresence } from '../models/serving/model-presence.js';
import type { Wanted } from '../models/serving/wanted.js';
import {
  WORKER_LOG_WANTED,
  WORKER_WANTED,
  WorkerControlRepository,
} from '../models/serving/worker-control.repository.js';
import { EnhanceConsumer } from './enhance-consumer.js';

/** How often a worker that drains reports how many jobs it still runs. */
const REPORT_MS = 1_000;

/**
 * Carries out what operators request of this worker: when it is notified, and with each heartbeat, which makes up for
 * a missed notification. Doing so twice changes nothing.
 */
@Injectable()
export class WorkerControl implements OnModuleDestroy {
  private readonly logger = new Logger('control');
  private readonly ends: (() => void)[] = [];
  private obeyed: Wanted = 'serve';
  private isEnded = false;
  private last: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly presence: ModelPresence,
    private readonly consumer: EnhanceConsumer,
    private readonly repository: WorkerControlRepository,
    private readonly notifications: Notifications,
  ) {}

  /** @param tail what this process logged last; undefined: nothing */
  begin(tail: LogTail | undefined): void {
    const { workerId } = this.presence;
    this.ends.push(
      this.notifications.subscribe(WORKER_WANTED, (id) => {
        if (id === null || id === workerId) void this.look();
      }),
      this.notifications.subscribe(WORKER_LOG_WANTED, (id) => {
        if (id === workerId) void this.sendLog(tail?.lines() ?? []);
      }),
    );
  }

  /** Carries out a request after the current one. */
  obey(wanted: Wanted): void {
    this.last = this.last.then(() => this.obeyNow(wanted));
  }

  /** The process ends, or another one replaces it: no further request is carried out. */
  end(): void {
    this.isEnded = true;
    clearInterval(this.timer);
    for (const end of this.ends.splice(0)) end();
  }

  onModuleDestroy(): void {
    this.end();
  }

  private async look(): Promise<void> {
    try {
      this.obey((await this.repository.wantedOf(this.presence.workerId)) ?? this.obeyed);
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'could not read what operators want of this worker');
    }
  }

  private async obeyNow(wanted: Wanted): Promise<void> {
    if (this.isEnded || wanted === this.obeyed) return;
    this.obeyed = wanted;
    clearInterval(this.timer);
    if (wanted === 'restart') {
      this.logger.log('restart requested by an operator; draining');
      process.kill(process.pid, 'SIGTERM');
    } else if (wanted === 'drain') {
      this.logger.log('drain requested by an operator; taking no new jobs');
      this.consumer.pauseTaking();
      await this.presence.drain();
      this.timer = setInterval(() => void this.report(), REPORT_MS).unref();
    } else {
      this.logger.log('resumed by an operator');
      this.consumer.resumeTaking();
      await this.presence.resume();
    }
  }

  /** Until the last job has ended. */
  private async report(): Promise<void> {
    if (this.consumer.load().jobs === 0) clearInterval(this.timer);
    await this.presence.beat();
  }

  private async sendLog(lines: readonly string[]): Promise<void> {
    try {
      await this.repository.sendLog(this.presence.workerId, lines);
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'could not send the log');
    }
  }
}
