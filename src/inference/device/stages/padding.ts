import type { NamedTensors } from '../../tensor.js';
import type { LoadedStage } from './loaded-stage.js';

/** Whether every batch of a graph that keeps one shape has the same size, learned by measuring. */
export class Padding {
  private isFaster = false;
  /** The size for which that was measured. Nothing is measured before the warm-up. */
  private decidedFor = Infinity;

  constructor(private readonly stage: LoadedStage) {}

  /**
   * @param limit the largest size that fits into memory
   * @returns the size of every batch that it holds; undefined when batches are not padded to one size
   */
  sizeWithin(limit: number): number | undefined {
    return this.isFaster ? Math.max(Math.min(limit, this.decidedFor), 1) : undefined;
  }

  /** Whether a larger size has run than the one for which padding was measured, because memory is free again. */
  isOpenFor(size: number): boolean {
    return this.stage.keepsOneShape && size > this.decidedFor;
  }

  /**
   * Measures whether a run of a size takes less time than a run of one item in a new shape.
   * @param item of the shape of the last run, which had this size
   * @throws Error when a run fails. The previous decision then stays
   */
  async decide(size: number, item: NamedTensors): Promise<void> {
    const isFaster = size > 1 && (await this.isFasterAt(size, item));
    this.isFaster = isFaster;
    this.decidedFor = size;
  }

  private async isFasterAt(size: number, item: NamedTensors): Promise<boolean> {
    const runMs = async (of: number): Promise<number> => {
      const startedMs = performance.now();
      await this.stage.run([item], undefined, of);
      return performance.now() - startedMs;
    };
    const paddedMs = await runMs(size);
    const changedMs = await runMs(1);
    // The shape of the next batch.
    await runMs(size);
    return paddedMs < changedMs;
  }
}
