/** Limits the requests that a process holds open, in total and per account. */
export class HeldRequestLimit {
  private readonly taken = new Map<string, number>();
  private sum = 0;

  constructor(
    private readonly total: number,
    private readonly perAccount: number,
  ) {}

  /** Number of held requests of all accounts. */
  get count(): number {
    return this.sum;
  }

  isFree(accountId: string): boolean {
    return this.sum < this.total && (this.taken.get(accountId) ?? 0) < this.perAccount;
  }

  /**
   * Takes a place, even if none is free.
   * @returns releases it; idempotent
   */
  take(accountId: string): () => void {
    this.add(accountId, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.add(accountId, -1);
      isTaken = false;
    };
  }

  private add(accountId: string, change: 1 | -1): void {
    const count = (this.taken.get(accountId) ?? 0) + change;
    if (count === 0) this.taken.delete(accountId);
    else this.taken.set(accountId, count);
    this.sum += change;
  }
}
