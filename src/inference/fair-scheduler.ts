/** Weight of the newest item in a stage's moving average. */
const NEWEST = 0.2;

/** The reservation of one job among those that share a device. */
export interface Reservation {
  /** In virtual time: when the job could begin if its owner had the device alone. */
  readonly startMs: number;
  readonly stageId: string;
  /** Number of items of the stage. An item that takes less time than usual counts as a fraction. */
  readonly items: number;
  readonly owner: string;
}

/**
 * Computes a deadline for the work of each job. The earliest deadline runs first: fair queueing by finish times
 * (Demers, Keshav, Shenker 1989). Time is virtual: while n owners have work, it advances n times slower than the device
 * works, as if each owner had an nth of the device. The deadline of a job is when its owner's share would finish it,
 * after the owner's earlier jobs. Therefore, jobs of one owner finish one after the other, and one is encoded while the
 * next is rendered. A small job overtakes another owner's large job, no matter when that was submitted. Because time
 * advances, no job waits forever.
 */
export class FairScheduler {
  /** Mean duration of one item of each stage. */
  private readonly meanMs = new Map<string, number>();
  private readonly reservations = new Set<Reservation>();
  private virtualMs = 0;

  /** The current virtual time. New work that takes no time is due now. */
  get nowMs(): number {
    return this.virtualMs;
  }

  /** Creates a reservation for a job. Release it with `end`, however the job ends. */
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

  /** The deadline in virtual time. Depends on the duration of the stage, which is unknown before its first run. */
  dueMs({ startMs, stageId, items }: Reservation): number {
    return startMs + items * (this.meanMs.get(stageId) ?? 0);
  }

  /** Records how long the device worked on items of a stage. The number of items may be a fraction. */
  ran(stageId: string, items: number, ms: number): void {
    const owners = new Set([...this.reservations].map(({ owner }) => owner));
    this.virtualMs += ms / Math.max(1, owners.size);
    const each = ms / items;
    const mean = this.meanMs.get(stageId) ?? each;
    this.meanMs.set(stageId, mean + (1 - (1 - NEWEST) ** items) * (each - mean));
  }
}
