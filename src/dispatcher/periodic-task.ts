import { Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from '../infra/database/database.js';

/** Does something again and again, one round at a time, whatever a round meets. */
export class PeriodicTask {
  private readonly logger: Logger;
  private readonly abort = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();

  constructor(
    /** Under which its failures are logged. */
    name: string,
    private readonly pauseMs: number,
    /** The signal fires when the rounds are to end. */
    private readonly work: (signal: AbortSignal) => Promise<void>,
  ) {
    this.logger = new Logger(name);
  }

  /** The first round begins after one pause. */
  begin(): void {
    if (this.abort.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.round = this.once().finally(() => this.begin());
    }, this.pauseMs);
  }

  /** Resolves when the round that runs has ended. */
  async end(): Promise<void> {
    this.abort.abort();
    clearTimeout(this.timer);
    await this.round;
  }

  private async once(): Promise<void> {
    try {
      await this.work(this.abort.signal);
    } catch (error) {
      if (isDatabaseUnavailable(error))
        this.logger.warn({ error: String(error) }, 'the database is unavailable; retrying later');
      else this.logger.error({ error: String(error) }, error instanceof Error ? (error.stack ?? '') : '');
    }
  }
}
