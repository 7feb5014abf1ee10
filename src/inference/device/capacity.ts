/** Memory may be short because of somebody else, so after this long the whole size is tried again. */
const RETRY_AFTER_MS = 60_000;

/** Even one whole tile is too much: it is run in pieces. */
export const PIECES = 0;

/** How many items of a stage the device's memory holds at once, as far as failures have taught. */
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

  /** The largest batch to try; `PIECES` when one whole tile was too much. */
  get current(): number {
    return this.nowMs() < this.untilMs ? this.limit : this.ceiling;
  }

  /** A run of `size` did not fit: the next smaller size is the limit for a while. */
  shrink(size: number): void {
    this.limit = this.below(size);
    this.untilMs = this.nowMs() + RETRY_AFTER_MS;
  }

  /** A run of `size` did not fit although nothing else ran: it never will. */
  lower(size: number): void {
    this.ceiling = this.below(size);
  }

  private below(size: number): number {
    return this.sizes.findLast((smaller) => smaller < size) ?? PIECES;
  }
}
