import type { Precision } from '../../../models/compose/compose-stage.js';
import { FINITE } from '../../../models/compose/finite-probe.js';
import { scalesWithTile, type StageRef } from '../../../models/manifest/model-route.js';
import type { Engine, Graph } from '../../engines/engine.js';
import { elementCount, type NamedTensors, shapeText, type Tensor, uint8Tensor } from '../../tensor.js';
import { stack, unstack, viewsOf } from '../../tensor-batch.js';
import { sizeFor } from './batch-sizes.js';
import type { ReusableBuffers } from './reusable-buffers.js';
import type { DeviceStage } from '../device-port.js';
import { type ImageShape, isWhole, type MapSet, sameDims, StageShapes } from './stage-shapes.js';

/** Inputs that each tile has for itself. Its other inputs are maps, which all tiles of a job share. */
const OF_A_TILE = new Set(['image', 'strength', 'window']);

/** A loaded stage, checked against its manifest and run with known shapes only. */
export class LoadedStage {
  /** The last batch of each map that a whole batch shared. Copying maps takes almost as long as a run on a large GPU. */
  private readonly sharedMaps = new WeakMap<Tensor, Tensor>();
  /** Sizes and shapes of the batches that the graph has run before. */
  private readonly known = new Map<string, { readonly size: number; readonly shape: ImageShape }>();

  private constructor(
    readonly ref: StageRef,
    /** For example `cpu` or `cuda:1`. */
    readonly provider: string,
    readonly shapes: StageShapes,
    readonly mapSets: readonly MapSet[],
    private readonly graph: Graph,
    private readonly buffers: ReusableBuffers | undefined,
  ) {}

  /**
   * Checks everything that does not need a run.
   * @param largestBatch upper bound for the stage's own `maxBatch`
   * @param buffers for the images of batches; without it, each image has its own buffer
   * @throws Error with how the graph differs from its manifest
   */
  static async load(
    engine: Engine,
    { ref, mapSets }: DeviceStage,
    largestBatch = Infinity,
    buffers?: ReusableBuffers,
  ): Promise<LoadedStage> {
    const graph = await engine.load(ref);
    const takesSmaller =
      engine.provider === 'cpu' &&
      graph.takesAnySize === true &&
      ref.kind === 'render' &&
      scalesWithTile(ref);
    const shapes = new StageShapes(ref, largestBatch, takesSmaller);
    const stage = new LoadedStage(ref, engine.provider, shapes, mapSets, graph, buffers);
    for (const maps of mapSets) stage.checkNames(maps);
    return stage;
  }

  get precision(): Precision {
    return this.graph.precision ?? 'fp32';
  }

  /** See `Graph`. */
  get keepsOneShape(): boolean {
    return this.graph.keepsOneShape ?? false;
  }

  /** @throws Error, RangeError with what the item lacks; the item must then not be run */
  check(item: NamedTensors): void {
    this.shapes.shapeOf(item['image']);
    for (const name of this.graph.inputNames) taken(item, name);
  }

  /**
   * Runs one batch of items of one shape, tensors [1,…] by input name, and returns the outputs of each item. A render
   * stage's only output is called `image` here, regardless of its name in the graph. A batch that is smaller than its
   * run is padded with copies of the last item. If the graph returns `FINITE`, each item has that of the batch.
   * @param size of the run. Default: the smallest size that holds the items
   */
  async run(
    items: readonly NamedTensors[],
    signal?: AbortSignal,
    size = sizeFor(items.length, this.shapes.batchSizes),
  ): Promise<readonly NamedTensors[]> {
    const shape = this.shapes.shapeOf(items[0]!['image']);
    const batch = Array.from({ length: size }, (_, index) => items[Math.min(index, items.length - 1)]!);
    const inputs = this.graph.inputNames.map((name) => [name, this.stacked(name, batch)]);
    const feeds = Object.fromEntries(inputs) as NamedTensors;
    const outputs = await this.graph.run(feeds, signal, this.reused(size, shape));
    const results: Record<string, Tensor>[] = items.map(() => ({}));
    for (const [name, dims] of this.outputs(shape)) {
      const output = checkedOutput(name, outputs[name], this.outputType, [size, ...dims]);
      const alias = this.ref.kind === 'render' ? 'image' : name;
      this.split(output, size, items.length).forEach((tensor, index) => (results[index]![alias] = tensor));
    }
    const finite = outputs[FINITE];
    if (finite !== undefined) for (const result of results) result[FINITE] = finite;
    this.known.set(shapeKey(size, shape), { size, shape });
    return results;
  }

  /** Runs zeros in the shape of the first run; does nothing before that. @throws Error like `run` */
  async runBlank(): Promise<void> {
    const [first] = this.known.values();
    if (first === undefined) return;
    const blank = this.shapes.blank(first.shape, this.mapSets.at(-1) ?? {});
    await this.run([blank], undefined, first.size);
  }

  private stacked(name: string, batch: readonly NamedTensors[]): Tensor {
    const tensors = batch.map((item) => taken(item, name));
    const [map] = tensors;
    if (map === undefined || OF_A_TILE.has(name) || tensors.some((tensor) => tensor !== map))
      return stack(tensors);
    const known = this.sharedMaps.get(map);
    if (known?.dims[0] === batch.length) return known;
    const shared = stack(tensors);
    this.sharedMaps.set(map, shared);
    return shared;
  }

  /**
   * The tensor into which a run writes its images. A CPU runs single tiles and needs none, because the runtime's own
   * tensor can be passed on. The first run of a shape gets none, because it shows whether the graph matches its
   * manifest.
   */
  private reused(size: number, shape: ImageShape): NamedTensors | undefined {
    if (this.buffers === undefined || this.graph.takesResults !== true) return undefined;
    if (this.ref.kind !== 'render' || this.shapes.batchSizes.length === 1) return undefined;
    if (!this.known.has(shapeKey(size, shape))) return undefined;
    const [[name, dims]] = this.outputs(shape) as readonly [readonly [string, readonly number[]]];
    const bytes = size * elementCount(dims);
    return { [name]: uint8Tensor([size, ...dims], new Uint8Array(this.buffers.take(bytes))) };
  }

  /** Maps stay in the thread longer than the batch, so they are copied. */
  private split(output: Tensor, size: number, wanted: number): readonly Tensor[] {
    return this.buffers?.has(output.data.buffer) ? viewsOf(output, wanted) : unstack(output, size, wanted);
  }

  async release(): Promise<void> {
    await this.graph.release();
  }

  /** Name and shape, without the batch axis, of every output. */
  private outputs({ edge, channels }: ImageShape): readonly (readonly [string, readonly number[]])[] {
    if (this.ref.kind === 'analyse') return Object.entries(this.ref.outputs);
    const { scale, producesAlpha } = this.ref;
    return [[this.graph.outputNames[0]!, [edge * scale, edge * scale, producesAlpha ? 4 : channels]]];
  }

  private get outputType(): Tensor['type'] {
    return this.ref.kind === 'analyse' ? 'float32' : 'uint8';
  }

  private checkNames(maps: MapSet): void {
    const { inputNames, outputNames } = this.graph;
    const offered =
      this.ref.kind === 'analyse' ? ['image'] : ['image', 'strength', 'window', ...Object.keys(maps)];
    const foreign = inputNames.filter((name) => !offered.includes(name));
    if (foreign.length > 0)
      throw new Error(`the graph needs ${foreign.join(', ')} as input; it can use ${offered.join(', ')}`);
    if (!inputNames.includes('image')) throw new Error('the graph has no input named image');
    const results = outputNames.filter((name) => name !== FINITE);
    if (this.ref.kind === 'render' && results.length !== 1)
      throw new Error(`a render graph has one output, this one has ${results.join(', ')}`);
  }
}

function shapeKey(size: number, { edge, channels }: ImageShape): string {
  return `${size}x${edge}x${channels}`;
}

function taken(item: NamedTensors, name: string): Tensor {
  const tensor = item[name];
  if (tensor === undefined) throw new Error(`the input ${name} was not given`);
  if (!isWhole(tensor)) throw new RangeError(`the input ${name} does not fill its shape`);
  return tensor;
}

function checkedOutput(
  name: string,
  output: Tensor | undefined,
  type: Tensor['type'],
  dims: readonly number[],
): Tensor {
  if (output?.type === type && sameDims(output.dims, dims)) return output;
  const found = output === undefined ? 'nothing' : shapeText(output.type, output.dims);
  throw new Error(
    `the output ${name} must be ${shapeText(type, dims)} by the manifest, the graph gives ${found}`,
  );
}
