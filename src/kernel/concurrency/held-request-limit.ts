/**
 * Places for requests that are held open: so many in a process, and so many of one account, so that one account
 * cannot keep all others out.
 */
export class HeldRequestLimit {
  private readonly taken = new Map<string, number>();
  private sum = 0;

  constructor(
    private readonly total: number,
    private readonly perAccount: number,
  ) {}

  /** How many are taken, by all accounts together. */
  get count(): number {
    return this.sum;
  }

  isFree(accountId: string): boolean {
    return this.sum < this.total && (this.taken.get(accountId) ?? 0) < this.perAccount;
  }

  /** Takes one, free or not. @returns gives it back; once, however often it is called */
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
