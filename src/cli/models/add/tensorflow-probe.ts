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
import type { TensorflowSource } from './tensorflow-source.js';

/** Runs a TensorFlow.js model. Its engine converts bytes to a range. */
export class TensorflowProbe implements Probe {
  failure = '';
  lastMs = 0;
  private readonly graphs = new Map<string, Graph>();

  private constructor(
    private readonly engine: Engine,
    private readonly source: TensorflowSource,
  ) {}

  /** @throws ModelsError when TensorFlow.js is not installed, does not start, or does not load the model */
  static async open(source: TensorflowSource): Promise<TensorflowProbe> {
    const engine = await startTensorflow({ provider: 'cpu', threads: 0, isGuess: false }).catch(
      (error: unknown) => {
        throw new ModelsError((error as Error).message);
      },
    );
    const probe = new TensorflowProbe(engine, source);
    await probe.graphOf([0, 1]).catch((error: unknown) => {
      throw loadFailure(source.path, error);
    });
    return probe;
  }

  get ports(): Ports {
    return this.source.ports;
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

  /** Loads the model as an analysis stage, whose output is returned unchanged. */
  private async graphOf(range: Normalization['range']): Promise<Graph> {
    const known = this.graphs.get(range.join());
    if (known !== undefined) return known;
    const { path, weights } = this.source;
    const graph = await this.engine.load({
      id: 'add/1/model',
      kind: 'analyse',
      engine: 'tensorflow',
      path,
      size: 0,
      outputs: { result: [] },
      tensorflow: { inputRange: range, weights },
      maxBatch: 1,
      maxDelayMs: 0,
    });
    this.graphs.set(range.join(), graph);
    return graph;
  }
}
