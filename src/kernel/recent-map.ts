/** Keeps the entries that were used last. Bounded: the least recently used one is removed first. */
export class RecentMap<Value> {
  /** In order of use. */
  private readonly entries = new Map<string, Value>();

  constructor(private readonly maxEntries: number) {}

  get(key: string): Value | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.maxEntries) this.entries.delete(this.entries.keys().next().value!);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }
}
