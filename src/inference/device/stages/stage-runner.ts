import { RunNotMade } from '../../engines/run-not-made.js';
import type { NamedTensors } from '../../tensor.js';
import { sizeFor, splitIntoRuns } from './batch-sizes.js';
import { Capacity, PIECES } from '../capacity.js';
import type { DeviceOutcome, RunReport } from '../device-port.js';
import type { LoadedStage } from './loaded-stage.js';
import { isOutOfMemory } from './out-of-memory.js';
import { cutIntoPieces, joinPieces } from './tile-pieces.js';

type OnRun = (report: RunReport) => void;

interface FailedRun {
  readonly error: unknown;
  readonly isMemory: boolean;
  readonly inPieces: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs any number of items of a stage in batches of the warmed sizes. Retries a failed batch item by item, so that an
 * invalid item does not fail other jobs. When memory is exhausted, first halves the batch, then divides the tile.
 */
export class StageRunner {
  private hasRun = false;
  /** False once a piece of a tile failed to run. */
  private takesPieces: boolean;

  /** @param onRun called for every run of the graph except warm-ups */
  constructor(
    readonly stage: LoadedStage,
    private readonly onRun: OnRun = () => undefined,
    private readonly capacity = new Capacity(stage.shapes.batchSizes),
  ) {
    this.takesPieces = stage.shapes.pieces.length > 0;
  }

  /**
   * @param items each checked by `stage.check`, all of one shape
   * @param signal ends a run on a server
   * @returns outcomes in the order of the items
   * @throws only RunNotMade and the signal's reason, and only on a server
   */
  async run(items: readonly NamedTensors[], signal?: AbortSignal): Promise<readonly DeviceOutcome[]> {
    const outcomes: DeviceOutcome[] = [];
    while (outcomes.length < items.length) {
      const waiting = items.slice(outcomes.length);
      // Read before every run, because the previous run may have changed the limit.
      const { limit } = this;
      const batch =
        limit === PIECES ? waiting.slice(0, 1) : splitIntoRuns(waiting, this.batchSizes, limit)[0]!;
      outcomes.push(...(await this.runBatch(batch, limit === PIECES, signal)));
    }
    return outcomes;
  }

  /**
   * Runs zeros once, so that no job pays for the allocations of the first run. Does nothing after a job has run.
   * @throws Error with how the graph differs from its manifest
   */
  async warm(): Promise<void> {
    if (this.hasRun) return;
    for (const maps of this.stage.mapSets)
      await this.stage.run([this.stage.shapes.blank(this.stage.shapes.whole[0]!, maps)]);
  }

  /**
   * Runs zeros in every shape, for a device that is tuned for each shape. Sizes that exceed the memory are not used
   * afterward.
   * @throws Error like `warm`
   */
  async warmEveryShape(): Promise<void> {
    const { shapes, mapSets } = this.stage;
    for (const maps of mapSets) {
      for (const shape of shapes.whole) {
        for (const size of this.batchSizes) await this.warmBatch(size, shapes.blank(shape, maps));
      }
      for (const shape of shapes.pieces) await this.warmPiece(shapes.blank(shape, maps));
    }
  }

  private get limit(): number {
    const { current } = this.capacity;
    return current === PIECES && !this.takesPieces ? 1 : current;
  }

  private get batchSizes(): readonly number[] {
    return this.stage.shapes.batchSizes;
  }

  private async warmBatch(size: number, blank: NamedTensors): Promise<void> {
    if (size > Math.max(this.limit, 1)) return;
    try {
      await this.stage.run(Array.from({ length: size }, () => blank));
    } catch (error) {
      if (!isOutOfMemory(error) || (size === 1 && !this.takesPieces)) throw error;
      this.capacity.lower(size);
    }
  }

  /** A graph of fixed size accepts whole tiles only, which is fine as long as they fit. */
  private async warmPiece(blank: NamedTensors): Promise<void> {
    try {
      await this.stage.run([blank]);
    } catch (error) {
      if (this.capacity.current === PIECES) throw error;
      this.takesPieces = false;
    }
  }

  private async runBatch(
    batch: readonly NamedTensors[],
    inPieces: boolean,
    signal?: AbortSignal,
  ): Promise<DeviceOutcome[]> {
    const startedAt = performance.now();
    const report = (end: RunReport['end']): void =>
      this.onRun({
        stageId: this.stage.ref.id,
        items: batch.length,
        size: sizeFor(batch.length, this.batchSizes),
        runMs: performance.now() - startedAt,
        end,
      });
    try {
      const outputs = inPieces ? [await this.runInPieces(batch[0]!)] : await this.stage.run(batch, signal);
      this.hasRun = true;
      report('done');
      return outputs.map((tensors) => ({ ok: true, tensors }));
    } catch (error) {
      if (error instanceof RunNotMade || signal?.aborted) throw error;
      const isMemory = isOutOfMemory(error);
      report(isMemory ? 'out_of_memory' : 'failed');
      return this.runSmaller(batch, { error, isMemory, inPieces, signal });
    }
  }

  private async runSmaller(
    batch: readonly NamedTensors[],
    { error, isMemory, inPieces, signal }: FailedRun,
  ): Promise<DeviceOutcome[]> {
    if (inPieces && !isMemory) {
      this.takesPieces = false;
      return [...(await this.run(batch, signal))];
    }
    if (isMemory && !inPieces && (batch.length > 1 || this.takesPieces)) {
      this.capacity.shrink(sizeFor(batch.length, this.batchSizes));
      return [...(await this.run(batch, signal))];
    }
    if (batch.length === 1) return [{ ok: false, message: textOf(error) }];
    const outcomes: DeviceOutcome[] = [];
    for (const item of batch) outcomes.push(...(await this.runBatch([item], false, signal)));
    return outcomes;
  }

  private async runInPieces(item: NamedTensors): Promise<NamedTensors> {
    const { ref } = this.stage;
    if (ref.kind === 'analyse') throw new Error('an image to analyse cannot be cut');
    const tile = item['image']!.dims[1]! - 2 * ref.halo;
    const geometry = { tile, halo: ref.halo, scale: ref.scale };
    const images = [];
    for (const piece of cutIntoPieces(geometry, item))
      images.push((await this.stage.run([piece]))[0]!['image']!);
    return { image: joinPieces(geometry, images) };
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
