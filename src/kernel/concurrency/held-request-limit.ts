/** Limits the requests that a process holds open, or the bytes of their bodies, in total and per account. */
export class HeldRequestLimit {
  private readonly taken = new Map<string, number>();
  private sum = 0;

  constructor(
    private readonly total: number,
    private readonly perAccount: number,
  ) {}

  /** Number of held requests, or bytes, of all accounts. */
  get count(): number {
    return this.sum;
  }

  /** Number of held requests, or bytes, of one account. */
  heldBy(accountId: string): number {
    return this.taken.get(accountId) ?? 0;
  }

  /** @param count requests, or bytes */
  isFree(accountId: string, count = 1): boolean {
    return this.sum + count <= this.total && this.isWithinShare(accountId, count);
  }

  /** Whether the account may hold so many more, if others do not hold too many. */
  isWithinShare(accountId: string, count = 1): boolean {
    return this.heldBy(accountId) + count <= this.perAccount;
  }

  /**
   * Takes places, even if none are free.
   * @returns releases them; idempotent
   */
  take(accountId: string, count = 1): () => void {
    this.add(accountId, count);
    let isTaken = true;
    return () => {
      if (isTaken) this.add(accountId, -count);
      isTaken = false;
    };
  }

  private add(accountId: string, change: number): void {
    const count = this.heldBy(accountId) + change;
    if (count === 0) this.taken.delete(accountId);
    else this.taken.set(accountId, count);
    this.sum += change;
  }
}
