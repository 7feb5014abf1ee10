/** A counting semaphore: a fixed number of permits, granted first come, first served. */
export class Permits {
  private readonly waiters: (() => void)[] = [];

  /** @param free number of permits */
  constructor(private free: number) {}

  /** Free permits. */
  get available(): number {
    return this.free;
  }

  /** Number of waiting callers. */
  get waiting(): number {
    return this.waiters.length;
  }

  /** Runs `work` while holding a permit. @throws what `work` throws */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    // Pass the permit on directly, so that no other caller takes it in between.
    else await new Promise<void>((resolve) => this.waiters.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiters.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
