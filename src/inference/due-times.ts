/** How much the newest run counts in a stage's mean. */
const NEWEST = 0.2;

/**
 * When the work of each job is due, so that what is due first runs first: at the time its owner would be done with it
 * if it ran alone from now on, behind the owner's own jobs (fair queueing by finish times; Demers, Keshav, Shenker
 * 1989). Jobs of one owner end one after the other, so that one is encoded while the next is rendered, instead of all
 * at the end; a small job overtakes a large one that has just begun; and since due times stay as they are, none waits
 * for ever.
 */
export class DueTimes {
  /** Of one item of each stage. */
  private readonly meanMs = new Map<string, number>();
  private readonly lastDueMs = new Map<string, number>();

  /** Notes how long items of a stage took together. */
  ran(stageId: string, items: number, ms: number): void {
    const each = ms / items;
    const mean = this.meanMs.get(stageId) ?? each;
    this.meanMs.set(stageId, mean + NEWEST * (each - mean));
  }

  /**
   * The due time of so many items, by the clock `nowMs` is read from.
   * @param owner whose they are; undefined = nobody else's
   */
  of(stageId: string, items: number, owner: string | undefined, nowMs: number): number {
    const aloneMs = items * (this.meanMs.get(stageId) ?? 0);
    if (owner === undefined) return nowMs + aloneMs;
    const dueMs = Math.max(nowMs, this.lastDueMs.get(owner) ?? nowMs) + aloneMs;
    this.forgetPast(nowMs);
    this.lastDueMs.set(owner, dueMs);
    return dueMs;
  }

  private forgetPast(nowMs: number): void {
    for (const [owner, dueMs] of this.lastDueMs) if (dueMs <= nowMs) this.lastDueMs.delete(owner);
  }
}
