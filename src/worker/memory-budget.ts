/**
 * Admits work by the bytes it is expected to take, so that memory stays flat whatever the mix of image sizes. Work
 * larger than the whole budget is admitted alone.
 */
export class MemoryBudget {
  private usedBytes = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly totalBytes: number) {}

  /** @returns gives the room back; undefined when there is none */
  take(bytes: number): (() => void) | undefined {
    const wanted = Math.min(bytes, this.totalBytes);
    if (this.usedBytes + wanted > this.totalBytes) return undefined;
    this.usedBytes += wanted;
    return () => {
      this.usedBytes -= wanted;
      for (const wake of this.waiting.splice(0)) wake();
    };
  }

  /** Resolves when room has been given back. Only for whom `take` has just refused: then something is in hand. */
  freed(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
