import { Logger } from '@nestjs/common';
import { Permits } from '../../kernel/permits/permits.js';

/**
 * Bounds how many jobs a worker runs at once. The holder of a permit runs jobs until none waits. A message that comes
 * while all permits are taken waits for one, because the holder may have looked just before the job came.
 */
export class JobConcurrency {
  private readonly logger = new Logger('queue');
  private readonly permits: Permits;
  private readonly woken = new Set<Promise<void>>();

  /**
   * @param limit most jobs at once
   * @param next runs one job to its end; false when there was none
   */
  constructor(
    limit: number,
    private readonly next: () => Promise<boolean>,
  ) {
    this.permits = new Permits(limit);
  }

  get hasFree(): boolean {
    return this.permits.available > 0;
  }

  /** Runs jobs until none waits. @throws what `next` throws */
  work(): Promise<void> {
    return this.permits.run(async () => {
      while (await this.next());
    });
  }

  /** Runs jobs with every free permit; errors are logged. */
  wakeAll(): void {
    for (let count = this.permits.available; count > 0; count -= 1) {
      const work = this.work()
        .catch((error: unknown) => this.logger.warn({ error: String(error) }, 'running jobs failed'))
        .finally(() => this.woken.delete(work));
      this.woken.add(work);
    }
  }

  /** Resolves when everything that `wakeAll` started has ended. */
  async rest(): Promise<void> {
    await Promise.all(this.woken);
  }
}
