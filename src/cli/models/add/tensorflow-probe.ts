import { startTensorflow } from '../../../inference/engines/engines.js';
import { errorLine } from '../../../kernel/errors/error-text.js';
import type { Engine, Graph } from '../../../inference/engines/engine.js';
import { uint8Tensor } from '../../../inference/tensor.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { ModelsError } from '../models-command.js';
import type { Normalization } from './readings/normalization.js';
import type { Ports } from './ports.js';
import type { Probe } from './probe.js';
import { type RawResult, rawResult } from './readings/raw-result.js';
import { loadFailure } from './require-loadable.js';

/** Runs a TensorFlow.js model. Its engine converts bytes to a range. */
export class TensorflowProbe implements Probe {
  failure = '';
  lastMs = 0;
  private readonly graphs = new Map<string, Graph>();

  private constructor(
    private readonly engine: Engine,
    private readonly path: string,
    private readonly weights: Readonly<Record<string, string>>,
    readonly ports: Ports,
  ) {}

  /** @throws ModelsError when TensorFlow.js is not installed, does not start, or does not load the model */
  static async open(path: string, weights: Readonly<Record<string, string>>): Promise<TensorflowProbe> {
    const engine = await startTensorflow({ provider: 'cpu', threads: 0, isGuess: false }).catch(
      (error: unknown) => {
        throw new ModelsError((error as Error).message);
      },
    );
    const range = [0, 1] as const;
    const graph = await loaded(engine, path, weights, range).catch((error: unknown) => {
      throw loadFailure(path, error);
    });
    const probe = new TensorflowProbe(engine, path, weights, portsOf(graph));
    probe.graphs.set(range.join(), graph);
    return probe;
  }

  async run(
    image: RawImage,
    { range }: Normalization,
    others: readonly RawImage[] = [],
  ): Promise<RawResult | null> {
    try {
      const graph = await this.graphOf(range);
      const items = [image, ...others];
      const data = new Uint8Array(items.length * image.data.length);
      for (const [index, item] of items.entries()) data.set(item.data, index * image.data.length);
      const startMs = performance.now();
      const outputs = await graph.run({
        image: uint8Tensor([items.length, image.height, image.width, 3], data),
      });
      this.lastMs = performance.now() - startMs;
      const { dims, data: values } = outputs[graph.outputNames[0]!]!;
      return rawResult(dims, Float32Array.from(values), 'NHWC');
    } catch (error) {
      this.failure = errorLine(error);
      return null;
    }
  }

  async close(): Promise<void> {
    for (const graph of this.graphs.values()) await graph.release();
  }

  private async graphOf(range: Normalization['range']): Promise<Graph> {
    const known = this.graphs.get(range.join());
    if (known !== undefined) return known;
    const graph = await loaded(this.engine, this.path, this.weights, range);
    this.graphs.set(range.join(), graph);
    return graph;
  }
}

/** Loads the model as an analysis stage, whose output is returned unchanged. */
function loaded(
  engine: Engine,
  path: string,
  weights: Readonly<Record<string, string>>,
  inputRange: Normalization['range'],
): Promise<Graph> {
  return engine.load({
    id: 'add/1/model',
    kind: 'analyse',
    engine: 'tensorflow',
    path,
    size: 0,
    outputs: { result: [] },
    tensorflow: { inputRange, weights },
    maxBatch: 1,
    maxDelayMs: 0,
  });
}

/**
 * The engine passes float32 RGB in NHWC layout, regardless of the input's name.
 * @throws ModelsError for any other input
 */
function portsOf({ imageDims = [] }: Graph): Ports {
  const dims =
    imageDims.length === 0 ? null : imageDims.map((size) => (size !== null && size > 0 ? size : '?'));
  const input = { name: 'image', layout: 'NHWC', dtype: 'float32' } as const;
  const value = { name: 'image', type: 'float32', dims };
  if (dims !== null && (dims.length !== 4 || dims[3] === 1))
    throw new ModelsError(
      `The model takes float32[${dims.join(',')}]; a TensorFlow.js model must take RGB pictures [N,H,W,3].`,
    );
  return { engine: 'tensorflow', value, input, output: { ...input, name: 'result' }, isGray: false };
}
