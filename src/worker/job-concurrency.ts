import { Logger } from '@nestjs/common';

/**
 * How many jobs a worker has in hand at once. A hand works until nothing waits; who comes while all are busy waits for
 * one, since that one may have looked just before.
 */
export class JobConcurrency {
  private readonly logger = new Logger('queue');
  private readonly waiting: (() => void)[] = [];
  private readonly woken = new Set<Promise<void>>();

  /**
   * @param free how many there are
   * @param next runs one job to its end; false when there was none
   */
  constructor(
    private free: number,
    private readonly next: () => Promise<boolean>,
  ) {}

  get hasFree(): boolean {
    return this.free > 0;
  }

  /** Works until nothing waits. @throws what `next` throws */
  async work(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      while (await this.next());
    } finally {
      const heir = this.waiting.shift();
      if (heir === undefined) this.free += 1;
      else heir();
    }
  }

  /** Sets every free hand to work; what goes wrong is logged. */
  wakeAll(): void {
    for (let count = this.free; count > 0; count -= 1) {
      const work = this.work()
        .catch((error: unknown) => this.logger.warn({ error: String(error) }, 'work was left off'))
        .finally(() => this.woken.delete(work));
      this.woken.add(work);
    }
  }

  /** Resolves when every hand that `wakeAll` woke has ended. */
  async rest(): Promise<void> {
    await Promise.all(this.woken);
  }
}
