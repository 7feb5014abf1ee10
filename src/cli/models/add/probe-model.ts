import { composeBare, PIXELS, PROBE } from '../../../models/compose/compose-foreign.js';
import { errorLine } from '../../../kernel/errors/error-text.js';
import { probeSource } from '../../../models/compose/compose-stage.js';
import type { ForeignModel } from '../../../models/compose/foreign-model.js';
import type { Graph } from '../../../inference/engines/engine.js';
import { OnnxEngine } from '../../../inference/engines/onnx-engine.js';
import { float32Tensor } from '../../../inference/tensor.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { type Normalization, normalized } from './readings/normalization.js';
import type { Ports } from './ports.js';
import type { Probe } from './probe.js';
import { type RawResult, rawResult } from './readings/raw-result.js';

/** Runs an unknown model on pixels with different normalizations, all in one session. */
export class ModelProbe implements Probe {
  failure = '';
  lastMs = 0;

  private constructor(
    private readonly graph: Graph,
    readonly ports: Ports,
  ) {}

  /** @param folder the folder of weight files outside of the model file @throws the runtime's error */
  static async open(model: ForeignModel, folder: string, ports: Ports): Promise<ModelProbe> {
    const engine = new OnnxEngine({ provider: 'cpu', threads: 0, isGuess: false });
    const bytes = composeBare(model, ports.input, ports.output.name);
    return new ModelProbe(await engine.open(probeSource(bytes, folder, model)), ports);
  }

  async run(
    image: RawImage,
    how: Normalization,
    others: readonly RawImage[] = [],
  ): Promise<RawResult | null> {
    try {
      const items = [image, ...others].map((item) => normalized(item, how));
      const channels = how.channels === 'Y' ? 1 : 3;
      const size = items[0]!.length;
      const data = new Float32Array(items.length * size);
      for (const [index, item] of items.entries()) data.set(item, index * size);
      const startMs = performance.now();
      const outputs = await this.graph.run({
        [PIXELS]: { type: 'float32', dims: [items.length, channels, image.height, image.width], data },
      });
      this.lastMs = performance.now() - startMs;
      const { dims, data: values } = outputs[PROBE] ?? float32Tensor([0], []);
      return rawResult(dims, values as Float32Array, this.ports.output.layout);
    } catch (error) {
      this.failure = errorLine(error);
      return null;
    }
  }

  async close(): Promise<void> {
    await this.graph.release();
  }
}
