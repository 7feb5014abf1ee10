import type { StageRef } from '../../catalog/model-route.js';
import type { Engine, Graph } from '../engines/engine.js';
import { elementCount, float32Tensor, type NamedTensors, shapeText, type Tensor, zeros } from '../tensor.js';
import { stack, unstack } from '../tensor-batch.js';
import type { DeviceStage } from './device-port.js';

type MapSet = Readonly<Record<string, readonly number[]>>;

/** A stage with its graph in memory: checked against the manifest, and run with known shapes only. */
export class LoadedStage {
  private hasRun = false;

  private constructor(
    readonly ref: StageRef,
    private readonly graph: Graph,
    private readonly mapSets: readonly MapSet[],
  ) {}

  /** Checks what can be told without a run. @throws Error that says how the graph differs from its manifest */
  static async load(engine: Engine, { ref, mapSets }: DeviceStage): Promise<LoadedStage> {
    const graph = await engine.load(ref);
    const stage = new LoadedStage(ref, graph, mapSets);
    for (const maps of mapSets) stage.checkNames(maps);
    return stage;
  }

  /**
   * A first run allocates, and on a GPU compiles for its shape; no job shall pay for that. Does nothing once the
   * stage has run on a device that is not tuned by shape.
   * @param everyShape the device is tuned anew for each shape
   * @throws Error that says how the graph differs from its manifest
   */
  async warm(everyShape: boolean): Promise<void> {
    if (this.hasRun && !everyShape) return;
    for (const maps of this.mapSets) {
      for (const channels of everyShape ? this.channels : [3])
        await this.run([this.warmItem(channels, maps)]);
    }
  }

  /**
   * Runs one batch of items, tensors [1,…] by input name, and gives the outputs of each item; a render
   * stage's only output is called `image` here, whatever its graph calls it.
   */
  async run(items: readonly NamedTensors[]): Promise<readonly NamedTensors[]> {
    if (items.length < 1 || items.length > this.ref.maxBatch) {
      throw new RangeError(`a batch of ${items.length} is outside 1..${this.ref.maxBatch}`);
    }
    for (const item of items) this.checkImage(item['image']);
    const inputs = this.graph.inputNames.map((name) => [name, stack(items.map((item) => taken(item, name)))]);
    const outputs = await this.graph.run(Object.fromEntries(inputs) as NamedTensors);
    this.hasRun = true;
    const results: Record<string, Tensor>[] = items.map(() => ({}));
    for (const [name, dims] of this.outputs(items[0]!['image']!.dims.at(-1)!)) {
      const output = checkedOutput(name, outputs[name], this.outputType, [items.length, ...dims]);
      const alias = this.ref.kind === 'render' ? 'image' : name;
      unstack(output, items.length).forEach((tensor, index) => (results[index]![alias] = tensor));
    }
    return results;
  }

  async release(): Promise<void> {
    await this.graph.release();
  }

  /** The channel counts the stage may meet. */
  private get channels(): readonly number[] {
    return this.ref.kind === 'analyse' ? [3] : [3, 4];
  }

  private get edge(): number {
    return this.ref.kind === 'analyse' ? this.ref.size : this.ref.tile + 2 * this.ref.halo;
  }

  /** Name and shape, without the batch axis, of every output. */
  private outputs(channels: number): readonly (readonly [string, readonly number[]])[] {
    if (this.ref.kind === 'analyse') return Object.entries(this.ref.outputs);
    const edge = this.edge * this.ref.scale;
    return [[this.graph.outputNames[0]!, [edge, edge, this.ref.producesAlpha ? 4 : channels]]];
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
      throw new Error(`the graph asks for ${foreign.join(', ')}; it may take ${offered.join(', ')}`);
    if (!inputNames.includes('image')) throw new Error('the graph has no input named image');
    if (this.ref.kind === 'render' && outputNames.length !== 1)
      throw new Error(`a render graph has one output, this one has ${outputNames.join(', ')}`);
  }

  /** A closed set of shapes: on a GPU every new one would be compiled while a job waits. */
  private checkImage(image: Tensor | undefined): void {
    const known = this.channels.map((channels) => [1, this.edge, this.edge, channels]);
    if (image?.type === 'uint8' && known.some((dims) => sameDims(dims, image.dims)) && isWhole(image)) return;
    const found =
      image === undefined ? 'nothing' : `${shapeText(image.type, image.dims)} of ${image.data.length}`;
    const wanted = known.map((dims) => shapeText('uint8', dims)).join(' or ');
    throw new RangeError(`the image must be ${wanted}, not ${found}`);
  }

  private warmItem(channels: number, maps: MapSet): NamedTensors {
    return {
      image: zeros('uint8', [1, this.edge, this.edge, channels]),
      strength: float32Tensor([1], [0.5]),
      window: float32Tensor([1, 4], [0, 0, 1, 1]),
      ...Object.fromEntries(
        Object.entries(maps).map(([name, dims]) => [name, zeros('float32', [1, ...dims])]),
      ),
    };
  }
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

function isWhole(tensor: Tensor): boolean {
  return tensor.data.length === elementCount(tensor.dims);
}

function sameDims(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((dim, axis) => dim === b[axis]);
}
