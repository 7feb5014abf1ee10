/**
 * Admits work by its estimated memory, so that memory stays bounded for any mix of image sizes. Work larger
 * than the budget is admitted alone.
 */
export class MemoryBudget {
  private usedBytes = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly totalBytes: number) {}

  /** @returns releases the memory; undefined when there is not enough */
  take(bytes: number): (() => void) | undefined {
    const wanted = Math.min(bytes, this.totalBytes);
    if (this.usedBytes + wanted > this.totalBytes) return undefined;
    this.usedBytes += wanted;
    return () => {
      this.usedBytes -= wanted;
      for (const wake of this.waiting.splice(0)) wake();
    };
  }

  /** Resolves when memory was released. Call it only after `take` refused: then some work is running. */
  freed(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
