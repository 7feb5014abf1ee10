import { FINITE } from '../../../models/compose/finite-probe.js';
import { RunNotMade } from '../../engines/run-not-made.js';
import type { NamedTensors } from '../../tensor.js';
import { sizeFor, splitIntoRuns } from './batch-sizes.js';
import { Capacity, PIECES } from '../capacity.js';
import { DeviceBroken } from '../device-broken.js';
import type { DeviceOutcome, LoweredStage, RunReport } from '../device-port.js';
import type { LoadedStage } from './loaded-stage.js';
import { isOutOfMemory } from './out-of-memory.js';
import { Padding } from './padding.js';
import { cutIntoPieces, joinPieces } from './tile-pieces.js';
import { errorText } from '../../../kernel/errors/error-text.js';

const NOT_FINITE: DeviceOutcome = {
  ok: false,
  message: 'its result is not finite: it contains NaN or an infinity',
};

type OnRun = (report: RunReport) => void;

interface FailedRun {
  readonly error: unknown;
  readonly size: number;
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
  /** False once a piece of a tile failed to run for another reason than a lack of memory. */
  private takesPieces: boolean;
  private readonly padding: Padding;

  /** @param onRun called for every run of the graph except warm-ups */
  constructor(
    readonly stage: LoadedStage,
    private readonly onRun: OnRun = () => undefined,
    private readonly capacity = new Capacity(stage.shapes.batchSizes),
  ) {
    this.takesPieces = stage.shapes.pieces.length > 0;
    this.padding = new Padding(stage);
  }

  /**
   * @param items each checked by `stage.check`, all of one shape
   * @param signal ends a run on a server
   * @returns outcomes in the order of the items
   * @throws RunNotMade and the signal's reason, only on a server; DeviceBroken, only on an accelerator
   */
  async run(items: readonly NamedTensors[], signal?: AbortSignal): Promise<readonly DeviceOutcome[]> {
    const outcomes: DeviceOutcome[] = [];
    while (outcomes.length < items.length) {
      const waiting = items.slice(outcomes.length);
      // Read before every run, because the previous run may have changed the limit.
      const { limit } = this;
      outcomes.push(...(await this.runBatch(this.firstOf(waiting), limit === PIECES, signal)));
    }
    return outcomes;
  }

  /**
   * Runs zeros once in the smallest shape, so that the first job does not pay for what the runtime sets up. Does nothing
   * after a job has run.
   * @throws Error with how the graph differs from its manifest
   */
  async warm(): Promise<void> {
    if (this.hasRun) return;
    const { shapes, mapSets } = this.stage;
    for (const maps of mapSets) await this.stage.run([shapes.blank(shapes.least, maps)]);
  }

  /**
   * Runs zeros in every shape, for a device that is tuned for each shape. Sizes that exceed the memory are not used for
   * the next ten minutes. For a graph that keeps one shape, runs only the largest size, and measures whether smaller
   * ones take less time.
   * @throws Error like `warm`
   */
  async warmEveryShape(): Promise<void> {
    const { shapes, mapSets, keepsOneShape } = this.stage;
    for (const maps of mapSets) {
      // RGB last, because most jobs use it.
      for (const shape of shapes.whole.toReversed()) await this.warmShape(shapes.blank(shape, maps));
      if (keepsOneShape && this.limit !== PIECES) continue;
      for (const shape of shapes.pieces) await this.warmPiece(shapes.blank(shape, maps));
    }
    if (keepsOneShape) await this.decidePadding(shapes.blank(shapes.whole[0]!, mapSets.at(-1) ?? {}));
  }

  /** Set when the largest batch did not fit into memory at warm-up, and has not run since. */
  get lowered(): LoweredStage | undefined {
    const { lowered: size } = this.capacity;
    return size === undefined ? undefined : { stageId: this.stage.ref.id, size, of: this.batchSizes.at(-1)! };
  }

  private get limit(): number {
    const { current } = this.capacity;
    return current === PIECES && !this.takesPieces ? 1 : current;
  }

  private get batchSizes(): readonly number[] {
    return this.stage.shapes.batchSizes;
  }

  /** The items of the next run. */
  private firstOf(waiting: readonly NamedTensors[]): readonly NamedTensors[] {
    const { limit } = this;
    if (limit === PIECES) return waiting.slice(0, 1);
    const padded = this.padding.sizeWithin(limit);
    // More items may run in a larger size, for which padding was not measured yet.
    if (padded !== undefined && (waiting.length <= padded || limit <= padded))
      return waiting.slice(0, padded);
    return splitIntoRuns(waiting, this.batchSizes, limit)[0]!;
  }

  /** The size of the run of a number of items. */
  private sizeOf(count: number): number {
    const padded = this.padding.sizeWithin(this.limit);
    return padded !== undefined && count <= padded ? padded : sizeFor(count, this.batchSizes);
  }

  private async warmShape(blank: NamedTensors): Promise<void> {
    const { keepsOneShape } = this.stage;
    for (const size of keepsOneShape ? this.batchSizes.toReversed() : this.batchSizes)
      if ((await this.warmBatch(size, blank)) && keepsOneShape) return;
  }

  private async decidePadding(blank: NamedTensors): Promise<void> {
    try {
      await this.padding.decide(this.limit, blank);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      // Leaves it open for larger sizes.
      await this.padding.decide(1, blank);
    }
  }

  /** Call it after a batch ran in one piece. Sizes that did not fit at warm-up may fit later. */
  private async learnFrom(size: number, item: NamedTensors): Promise<void> {
    try {
      if (this.padding.isOpenFor(size)) await this.padding.decide(size, item);
      this.capacity.fitted(size);
    } catch {
      // The results of the batch are good, and a full memory has errors of many texts. If the device is broken, the
      // next run shows it.
      this.capacity.shrink(size);
    }
  }

  /** @returns whether the size fits into memory */
  private async warmBatch(size: number, blank: NamedTensors): Promise<boolean> {
    if (size > Math.max(this.limit, 1)) return false;
    try {
      await this.stage.run(Array.from({ length: size }, () => blank));
      return true;
    } catch (error) {
      if (!isOutOfMemory(error) || (size === 1 && !this.takesPieces)) throw error;
      this.capacity.lower(size);
      return false;
    }
  }

  /** A graph of fixed size accepts whole tiles only, which is fine as long as they fit. */
  private async warmPiece(blank: NamedTensors): Promise<void> {
    try {
      await this.stage.run([blank]);
    } catch (error) {
      if (this.capacity.current === PIECES) throw error;
      if (!isOutOfMemory(error)) this.takesPieces = false;
    }
  }

  private async runBatch(
    batch: readonly NamedTensors[],
    inPieces: boolean,
    signal?: AbortSignal,
  ): Promise<DeviceOutcome[]> {
    const startedAt = performance.now();
    const size = this.sizeOf(batch.length);
    const report = (end: RunReport['end']): void =>
      this.onRun({
        stageId: this.stage.ref.id,
        items: batch.length,
        size,
        runMs: performance.now() - startedAt,
        end,
      });
    let outputs: readonly NamedTensors[];
    try {
      outputs = inPieces ? [await this.runInPieces(batch[0]!)] : await this.stage.run(batch, signal, size);
      this.hasRun = true;
      report('done');
      if (!inPieces) await this.learnFrom(size, batch[0]!);
    } catch (error) {
      if (error instanceof RunNotMade || signal?.aborted) throw error;
      const isMemory = isOutOfMemory(error);
      report(isMemory ? 'out_of_memory' : 'failed');
      return this.runSmaller(batch, { error, size, isMemory, inPieces, signal });
    }
    if (outputs.every(isFiniteResult))
      return outputs.map(({ [FINITE]: _finite, ...tensors }) => ({ ok: true, tensors }));
    // The probe covers the whole batch.
    return batch.length === 1 ? [NOT_FINITE] : this.runEach(batch, signal);
  }

  private async runSmaller(
    batch: readonly NamedTensors[],
    { error, size, isMemory, inPieces, signal }: FailedRun,
  ): Promise<DeviceOutcome[]> {
    if (inPieces && !isMemory) {
      this.takesPieces = false;
      return [...(await this.run(batch, signal))];
    }
    if (isMemory && !inPieces && (size > 1 || this.takesPieces)) {
      this.capacity.shrink(size);
      return [...(await this.run(batch, signal))];
    }
    if (batch.length === 1) {
      const isFull = isMemory || (await this.isDeviceFull(error));
      return [{ ok: false, message: errorText(error), ...(isFull && { isOutOfMemory: true }) }];
    }
    return this.runEach(batch, signal);
  }

  private async runEach(batch: readonly NamedTensors[], signal?: AbortSignal): Promise<DeviceOutcome[]> {
    const outcomes: DeviceOutcome[] = [];
    for (const item of batch) outcomes.push(...(await this.runBatch([item], false, signal)));
    return outcomes;
  }

  /**
   * Some errors stay with an accelerator: every later run in this process fails, too. Then the items are not at fault,
   * and would all fail. Nor are they while another process fills the memory, which has errors of many texts.
   * @returns whether zeros, which ran before, do not fit into memory now
   * @throws DeviceBroken when they do not run for another reason
   */
  private async isDeviceFull(cause: unknown): Promise<boolean> {
    const { stage } = this;
    if (stage.ref.remote !== undefined || stage.provider === 'cpu') return false;
    try {
      await stage.runBlank();
      return false;
    } catch (error) {
      if (isOutOfMemory(error)) return true;
      const text = `${stage.provider} does not run ${stage.ref.id} anymore: ${errorText(error)}`;
      throw new DeviceBroken(text, { cause });
    }
  }

  private async runInPieces(item: NamedTensors): Promise<NamedTensors> {
    const { ref } = this.stage;
    if (ref.kind === 'analyse') throw new Error('an image to analyse cannot be cut');
    const tile = item['image']!.dims[1]! - 2 * ref.halo;
    const geometry = { tile, halo: ref.halo, scale: ref.scale };
    const images = [];
    for (const piece of cutIntoPieces(geometry, item)) {
      const result = (await this.stage.run([piece]))[0]!;
      if (!isFiniteResult(result)) return result;
      images.push(result['image']!);
    }
    return { image: joinPieces(geometry, images) };
  }
}

function isFiniteResult({ [FINITE]: finite }: NamedTensors): boolean {
  return finite === undefined || Number.isFinite(finite.data[0]);
}
