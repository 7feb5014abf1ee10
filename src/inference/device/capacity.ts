/** Another process may have taken the memory, so the full size is tried again after this time. */
const RETRY_AFTER_MS = 60_000;

/** The size for a stage of which a whole tile does not fit, so that tiles run in pieces. */
export const PIECES = 0;

/** How many items of a stage fit into device memory, learned from failures. */
export class Capacity {
  private ceiling: number;
  private limit: number;
  private untilMs = 0;

  /** @param sizes the batch sizes of the stage, ascending */
  constructor(
    private readonly sizes: readonly number[],
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.ceiling = sizes.at(-1)!;
    this.limit = this.ceiling;
  }

  /** The largest batch to try; `PIECES` when one whole tile did not fit. */
  get current(): number {
    return this.nowMs() < this.untilMs ? this.limit : this.ceiling;
  }

  /** Call it when a run of `size` did not fit: uses the next smaller size for a while. */
  shrink(size: number): void {
    this.limit = this.below(size);
    this.untilMs = this.nowMs() + RETRY_AFTER_MS;
  }

  /** Call it when a run of `size` did not fit although nothing else ran: never tries that size again. */
  lower(size: number): void {
    this.ceiling = this.below(size);
  }

  private below(size: number): number {
    return this.sizes.findLast((smaller) => smaller < size) ?? PIECES;
  }
}
