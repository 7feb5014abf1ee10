/** A counting semaphore: a fixed number of permits, granted first come, first served. */
export class Permits {
  private readonly waiters: (() => void)[] = [];

  /** @param free how many there are */
  constructor(private free: number) {}

  /** Permits that nobody holds. */
  get available(): number {
    return this.free;
  }

  /** How many callers wait for one. */
  get waiting(): number {
    return this.waiters.length;
  }

  /** Runs `work` while holding a permit. @throws what `work` throws */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    // The holder that ends hands its permit over, so that nobody gets in between.
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
