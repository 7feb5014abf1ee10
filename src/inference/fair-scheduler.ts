/** How much the newest item counts in a stage's mean. */
const NEWEST = 0.2;

/** One job's place among those that share a device. */
export interface Reservation {
  /** In virtual time: when it could begin if its owner had the device alone. */
  readonly startMs: number;
  readonly stageId: string;
  /** Items of the stage. */
  readonly items: number;
  readonly owner: string;
}

/**
 * When the work of each job is due, so that what is due first runs first: fair queueing by finish times
 * (Demers, Keshav, Shenker 1989). Time is virtual: while n owners have work, it passes n times slower than
 * the device works, as if each had an n-th of it. A job is due when it would be done with its owner's part,
 * behind the owner's own jobs. So jobs of one owner end one after the other and one is encoded while the next
 * is rendered, instead of all at the end; a small job overtakes a large one of somebody else, whenever that
 * came; and since time passes, none waits for ever.
 */
export class FairScheduler {
  /** Of one item of each stage. */
  private readonly meanMs = new Map<string, number>();
  private readonly reservations = new Set<Reservation>();
  private virtualMs = 0;

  /** What comes now and needs no time is due now. */
  get nowMs(): number {
    return this.virtualMs;
  }

  /** Takes a place for a job. To be given back with `end`, however the job ends. */
  begin(stageId: string, items: number, owner: string): Reservation {
    const own = [...this.reservations].filter((reservation) => reservation.owner === owner);
    const startMs = Math.max(this.virtualMs, ...own.map((reservation) => this.dueMs(reservation)));
    const reservation = { startMs, stageId, items, owner };
    this.reservations.add(reservation);
    return reservation;
  }

  end(reservation: Reservation): void {
    this.reservations.delete(reservation);
  }

  /** In virtual time. Follows what the stage takes, which is not known before its first run. */
  dueMs({ startMs, stageId, items }: Reservation): number {
    return startMs + items * (this.meanMs.get(stageId) ?? 0);
  }

  /** Notes that the device worked for so long on items of a stage. */
  ran(stageId: string, items: number, ms: number): void {
    const owners = new Set([...this.reservations].map(({ owner }) => owner));
    this.virtualMs += ms / Math.max(1, owners.size);
    const each = ms / items;
    const mean = this.meanMs.get(stageId) ?? each;
    this.meanMs.set(stageId, mean + (1 - (1 - NEWEST) ** items) * (each - mean));
  }
}
