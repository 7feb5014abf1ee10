/** Another process may have taken the memory, so the full size is tried again after this time. */
const RETRY_AFTER_MS = 60_000;

/** A whole tile does not fit; it is run in pieces. */
export const PIECES = 0;

/** How many items of a stage fit into device memory, learned from failures. */
export class Capacity {
  private ceiling: number;
  private limit: number;
  private untilMs = 0;

  /** @param sizes the batch sizes of the stage, rising */
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

  /** A run of `size` did not fit: use the next smaller size for a while. */
  shrink(size: number): void {
    this.limit = this.below(size);
    this.untilMs = this.nowMs() + RETRY_AFTER_MS;
  }

  /** A run of `size` did not fit although nothing else ran: never try it again. */
  lower(size: number): void {
    this.ceiling = this.below(size);
  }

  private below(size: number): number {
    return this.sizes.findLast((smaller) => smaller < size) ?? PIECES;
  }
}
