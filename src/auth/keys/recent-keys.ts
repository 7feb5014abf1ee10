/** Hashes of keys, kept for a fixed time. Bounded: the oldest is removed first. */
export class RecentKeys {
  /** Expiry in milliseconds; in order of insertion, and therefore of expiry. */
  private readonly untilMs = new Map<string, number>();

  constructor(
    private readonly ttlMs: number,
    private readonly maxEntries: number,
  ) {}

  has(hash: Buffer): boolean {
    const name = hash.toString('base64');
    const until = this.untilMs.get(name);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.untilMs.delete(name);
    return false;
  }

  add(hash: Buffer): void {
    const name = hash.toString('base64');
    this.untilMs.delete(name);
    this.untilMs.set(name, performance.now() + this.ttlMs);
    if (this.untilMs.size > this.maxEntries) this.untilMs.delete(this.untilMs.keys().next().value!);
  }
}
