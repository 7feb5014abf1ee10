import { Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from '../../infra/database/database.js';

const PAUSE_AFTER_FAULT_MS = 1_000;

/**
 * Takes turns at some work, one at a time: when somebody wakes it, and when the pause that the last turn asked
 * for is over. Being woken during a turn means another one right after it, so nothing is missed.
 */
export class WakeableLoop {
  private readonly logger: Logger;
  private timer: NodeJS.Timeout | undefined;
  private dueMs = Number.POSITIVE_INFINITY;
  private turn: Promise<void> | undefined;
  private isEnded = false;

  constructor(
    /** Under which its failures are logged. */
    name: string,
    /** @returns milliseconds until the next turn, if nobody wakes it before */
    private readonly work: () => Promise<number>,
  ) {
    this.logger = new Logger(name);
  }

  /** A turn will begin within `inMs`. */
  wake(inMs = 0): void {
    const dueMs = performance.now() + inMs;
    if (this.isEnded || dueMs >= this.dueMs) return;
    this.dueMs = dueMs;
    if (this.turn === undefined) this.arm();
  }

  /** Resolves when the turn that runs has ended; there is none after it. */
  async end(): Promise<void> {
    this.isEnded = true;
    clearTimeout(this.timer);
    await this.turn;
  }

  private arm(): void {
    clearTimeout(this.timer);
    if (this.isEnded) return;
    this.timer = setTimeout(() => this.begin(), Math.max(0, this.dueMs - performance.now()));
  }

  private begin(): void {
    this.dueMs = Number.POSITIVE_INFINITY;
    this.turn = this.once();
  }

  private async once(): Promise<void> {
    const pauseMs = await this.workSafely();
    this.turn = undefined;
    this.dueMs = Math.min(this.dueMs, performance.now() + pauseMs);
    this.arm();
  }

  private async workSafely(): Promise<number> {
    try {
      return await this.work();
    } catch (error) {
      if (isDatabaseUnavailable(error))
        this.logger.warn({ error: String(error) }, 'the database is unavailable; retrying later');
      else this.logger.error({ error: String(error) }, error instanceof Error ? (error.stack ?? '') : '');
      return PAUSE_AFTER_FAULT_MS;
    }
  }
}
