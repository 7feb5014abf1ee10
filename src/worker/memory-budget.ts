/**
 * Admits work by the bytes it is expected to take, first come first served, so that memory stays flat
 * whatever the mix of image sizes. Work larger than the whole budget is admitted alone.
 */
export class MemoryBudget {
  private usedBytes = 0;
  private readonly waiting: { readonly bytes: number; readonly admit: () => void }[] = [];

  constructor(private readonly totalBytes: number) {}

  /** Waits for room, runs `work`, and gives the room back however it ends. */
  async within<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const wanted = Math.min(bytes, this.totalBytes);
    await this.take(wanted);
    try {
      return await work();
    } finally {
      this.usedBytes -= wanted;
      this.admitWaiting();
    }
  }

  private take(bytes: number): Promise<void> | void {
    if (this.waiting.length === 0 && this.usedBytes + bytes <= this.totalBytes) {
      this.usedBytes += bytes;
      return;
    }
    return new Promise((resolve) => this.waiting.push({ bytes, admit: resolve }));
  }

  private admitWaiting(): void {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      if (this.usedBytes + next.bytes > this.totalBytes) return;
      this.waiting.shift();
      this.usedBytes += next.bytes;
      next.admit();
    }
  }
}
