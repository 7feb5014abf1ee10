import { HeldRequestLimit } from '../concurrency/held-request-limit.js';

/** Receives the function that releases the permit. */
type Waiter = (release: () => void) => void;

/**
 * A counting semaphore that many holders share: none has more than `perHolder` permits, and waiting holders take
 * turns. A holder whose work is slow then leaves the other permits to everybody else.
 */
export class FairPermits {
  private readonly permits: HeldRequestLimit;
  /** The holder whose turn is next comes first; no list is empty. */
  private readonly lines = new Map<string, Waiter[]>();
  private waitingCount = 0;

  /**
   * @param total number of permits
   * @param perHolder number of them that one holder may have at a time
   */
  constructor(total: number, perHolder: number) {
    this.permits = new HeldRequestLimit(total, perHolder);
  }

  /** Number of waiting callers. */
  get waiting(): number {
    return this.waitingCount;
  }

  /** Runs `work` while `holder` has a permit. @throws what `work` throws */
  async run<Result>(holder: string, work: () => Promise<Result>): Promise<Result> {
    const release = this.permits.isFree(holder) ? this.permits.take(holder) : await this.turn(holder);
    try {
      return await work();
    } finally {
      release();
      this.grantNext();
    }
  }

  private turn(holder: string): Promise<() => void> {
    this.waitingCount += 1;
    return new Promise((resolve) => {
      const line = this.lines.get(holder) ?? [];
      line.push(resolve);
      this.lines.set(holder, line);
    });
  }

  private grantNext(): void {
    const next = [...this.lines].find(([holder]) => this.permits.isFree(holder));
    if (next === undefined) return;
    const [holder, line] = next;
    const waiter = line.shift()!;
    // The turn of this holder comes again after that of the others.
    this.lines.delete(holder);
    if (line.length > 0) this.lines.set(holder, line);
    this.waitingCount -= 1;
    // Taken here, so that no other caller takes the permit in between.
    waiter(this.permits.take(holder));
  }
}
