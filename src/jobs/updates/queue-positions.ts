import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Notifications } from '../../infra/database/notifications.js';
import { QueuePositionsRepository } from './queue-positions.repository.js';

/** Called with a queue position, 1 = next. Must not throw. */
export type PositionListener = (position: number) => void;

/** One statement per interval for all watchers, and only after a job has moved. */
const PERIOD_MS = 1_000;

/** Reports queue positions while jobs move up. */
@Injectable()
export class QueuePositions implements OnModuleDestroy {
  private readonly logger = new Logger('queue-positions');
  private readonly listeners = new Map<PositionListener, string>();
  private unsubscribe: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private moved = false;
  private isTelling = false;

  constructor(
    private readonly positions: QueuePositionsRepository,
    private readonly notifications: Notifications,
  ) {}

  /** @returns ends the watch */
  watch(id: string, listener: PositionListener): () => void {
    this.listeners.set(listener, id);
    this.moved = true;
    this.unsubscribe ??= this.notifications.subscribe('job_changed', () => (this.moved = true));
    this.timer ??= setInterval(() => void this.tell(), PERIOD_MS).unref();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.stop();
    };
  }

  onModuleDestroy(): void {
    this.unsubscribe?.();
    this.stop();
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async tell(): Promise<void> {
    if (!this.moved || this.isTelling) return;
    this.moved = false;
    this.isTelling = true;
    try {
      const byId = await this.positions.of([...new Set(this.listeners.values())]);
      for (const [listener, id] of this.listeners) {
        const position = byId.get(id);
        if (position !== undefined) listener(position);
      }
    } catch (error) {
      this.moved = true;
      this.logger.warn(`could not read queue positions: ${String(error)}`);
    }
    this.isTelling = false;
  }
}
