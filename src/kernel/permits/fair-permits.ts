interface Holder {
  held: number;
  readonly waiting: (() => void)[];
}

/**
 * A counting semaphore that many holders share: none has more than `perHolder` permits, and waiting holders take
 * turns. A holder whose work is slow then leaves the other permits to everybody else.
 */
export class FairPermits {
  /** Those that have or wait for a permit; the one whose turn is next comes first. */
  private readonly holders = new Map<string, Holder>();
  private waitingCount = 0;

  /**
   * @param free number of permits
   * @param perHolder number of them that one holder may have at a time
   */
  constructor(
    private free: number,
    private readonly perHolder: number,
  ) {}

  /** Number of waiting callers. */
  get waiting(): number {
    return this.waitingCount;
  }

  /** Runs `work` while `name` holds a permit. @throws what `work` throws */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const holder = this.holders.get(name) ?? { held: 0, waiting: [] };
    this.holders.set(name, holder);
    if (this.canHold(holder)) this.grant(holder);
    else await this.turn(holder);
    try {
      return await work();
    } finally {
      this.release(name, holder);
    }
  }

  private canHold({ held }: Holder): boolean {
    return this.free > 0 && held < this.perHolder;
  }

  private grant(holder: Holder): void {
    this.free -= 1;
    holder.held += 1;
  }

  private turn({ waiting }: Holder): Promise<void> {
    this.waitingCount += 1;
    return new Promise((resolve) => waiting.push(resolve));
  }

  private release(name: string, holder: Holder): void {
    this.free += 1;
    holder.held -= 1;
    this.grantNext();
    if (holder.held === 0 && holder.waiting.length === 0) this.holders.delete(name);
  }

  private grantNext(): void {
    const next = [...this.holders].find(([, holder]) => holder.waiting.length > 0 && this.canHold(holder));
    if (next === undefined) return;
    const [name, holder] = next;
    // The turn of this holder comes again after that of the others.
    this.holders.delete(name);
    this.holders.set(name, holder);
    this.waitingCount -= 1;
    // Granted here, so that no other caller takes the permit in between.
    this.grant(holder);
    holder.waiting.shift()!();
  }
}
