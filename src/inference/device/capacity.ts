/** Another process may have taken the memory, so the full size is tried again after this time. */
const RETRY_AFTER_MS = 60_000;
/**
 * A warm-up is not alone either: the worker that is replaced still computes, or another stream, or another worker on
 * the same GPU. After each such time the next larger size is tried, one at a time, because each failure costs a run.
 */
const RAISE_AFTER_MS = 600_000;

/** The size for a stage of which a whole tile does not fit, so that tiles run in pieces. */
export const PIECES = 0;

/** How many items of a stage fit into device memory, learned from failures. */
export class Capacity {
  /** The largest size that fitted in the warm-up or has run since. */
  private warmed: number;
  private ceiling: number;
  private ceilingSetMs = 0;
  private limit: number;
  private untilMs = 0;

  /** @param sizes the batch sizes of the stage, ascending */
  constructor(
    private readonly sizes: readonly number[],
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.warmed = this.ceiling = this.limit = sizes.at(-1)!;
  }

  /** The largest batch to try; `PIECES` when one whole tile did not fit. */
  get current(): number {
    const { raisedCeiling } = this;
    return this.nowMs() < this.untilMs ? Math.min(this.limit, raisedCeiling) : raisedCeiling;
  }

  /** The largest size that fitted in the warm-up or has run since, if the larger ones did not. */
  get lowered(): number | undefined {
    return this.warmed === this.sizes.at(-1) ? undefined : this.warmed;
  }

  /** Call it when a run of `size` fitted: if it later does not, that is like for a size that fitted in the warm-up. */
  fitted(size: number): void {
    this.warmed = Math.max(this.warmed, size);
  }

  /** Call it when a run of `size` did not fit: uses the next smaller size for a while. */
  shrink(size: number): void {
    // It is tried again since the warm-up, and still does not fit.
    if (size > this.warmed) this.setCeiling(this.below(size));
    else {
      this.limit = this.below(size);
      this.untilMs = this.nowMs() + RETRY_AFTER_MS;
    }
  }

  /** Call it when a run of `size` did not fit in a warm-up: uses smaller sizes for longer. */
  lower(size: number): void {
    this.warmed = this.below(size);
    this.setCeiling(this.warmed);
  }

  private setCeiling(size: number): void {
    this.ceiling = size;
    this.ceilingSetMs = this.nowMs();
  }

  private get raisedCeiling(): number {
    const steps = Math.floor((this.nowMs() - this.ceilingSetMs) / RAISE_AFTER_MS);
    // -1 for pieces.
    const at = this.sizes.indexOf(this.ceiling) + steps;
    return this.sizes[Math.min(at, this.sizes.length - 1)] ?? PIECES;
  }

  private below(size: number): number {
    return this.sizes.findLast((smaller) => smaller < size) ?? PIECES;
  }
}
