import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Database, type Prepared } from '../infra/database/database.js';
import { Notifications } from '../infra/database/notifications.js';

/** The place in the order in which jobs have their turn; what other accounts send meanwhile may come before it. */
const POSITIONS: Prepared = {
  name: 'queue_positions',
  text: `SELECT id, position FROM (
           SELECT id, row_number() OVER (ORDER BY turn, id)::integer AS position FROM jobs WHERE status = 'queued') q
          WHERE id = ANY($1::text[])`,
};

/** Called with a place in the queue, 1 = next. Must not throw. */
export type PositionListener = (position: number) => void;

/** One statement in this time for all who watch, and only when a job has moved on meanwhile. */
const PERIOD_MS = 1_000;

/** Tells queued jobs' places in the queue while they move up. */
@Injectable()
export class QueuePositions implements OnModuleDestroy {
  private readonly logger = new Logger('queue-positions');
  private readonly listeners = new Map<PositionListener, string>();
  private unsubscribe: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private moved = false;
  private isTelling = false;

  constructor(
    private readonly database: Database,
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
      const rows = await this.database.query<{ id: string; position: number }>(POSITIONS, [
        [...new Set(this.listeners.values())],
      ]);
      const byId = new Map(rows.map(({ id, position }) => [id, position]));
      for (const [listener, id] of this.listeners) {
        const position = byId.get(id);
        if (position !== undefined) listener(position);
      }
    } catch (error) {
      this.moved = true;
      this.logger.warn(`places in the queue could not be read: ${String(error)}`);
    }
    this.isTelling = false;
  }
}
