import type { Adapter, InputAdapter, OutputAdapter } from '../../../models/manifest/adapter.js';
import { composeProbe, PROBE } from '../../../models/compose/compose-foreign.js';
import type { ForeignModel } from '../../../models/compose/foreign-model.js';
import { OnnxEngine } from '../../../inference/engines/onnx-engine.js';
import { float32Tensor, uint8Tensor } from '../../../inference/tensor.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { runtimeText } from './require-loadable.js';

/** What a model gives for one image, in its own units, brought into order [rows][columns][channels]. */
export interface RawResult {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly at: (y: number, x: number, channel: number) => number;
}

/** Runs a foreign model on pixels, with an input adapter that may be a guess. */
export class ModelProbe {
  /** What the runtime said when the model last did not take an image; empty as long as it took all. */
  failure = '';
  private readonly engine = new OnnxEngine({ provider: 'cpu', threads: 0, isGuess: false });

  /** @param folder where weights outside of the file lie */
  constructor(
    private readonly model: ForeignModel,
    private readonly folder: string,
  ) {}

  /** Null when the model does not take the image so. @param copies how many times it goes through in one batch */
  async run(
    image: RawImage,
    input: InputAdapter,
    output: Pick<OutputAdapter, 'name' | 'layout' | 'dtype'>,
    copies = 1,
  ): Promise<RawResult | null> {
    const adapter: Adapter = { input, output: { ...output, meaning: 'image', range: [0, 1] } };
    try {
      const bytes = composeProbe(this.model, adapter, null);
      const graph = await this.engine.open({ kind: 'bytes', bytes, folder: this.folder });
      try {
        const data = new Uint8Array(copies * image.data.length);
        for (let copy = 0; copy < copies; copy++) data.set(image.data, copy * image.data.length);
        const outputs = await graph.run({
          image: uint8Tensor([copies, image.height, image.width, 3], data),
        });
        const { dims, data: values } = outputs[PROBE] ?? float32Tensor([0], []);
        return arranged(dims, values as Float32Array, output.layout);
      } finally {
        await graph.release();
      }
    } catch (error) {
      this.failure = runtimeText(error);
      return null;
    }
  }
}

function arranged(
  dims: readonly number[],
  values: Float32Array,
  layout: OutputAdapter['layout'],
): RawResult | null {
  if (layout === 'NHW') {
    if (dims.length !== 3) return null;
    const [, height, width] = dims as [number, number, number];
    return { height, width, channels: 1, at: (y, x) => values[y * width + x]! };
  }
  if (dims.length !== 4) return null;
  if (layout === 'NHWC') {
    const [, height, width, channels] = dims as [number, number, number, number];
    return { height, width, channels, at: (y, x, channel) => values[(y * width + x) * channels + channel]! };
  }
  const [, channels, height, width] = dims as [number, number, number, number];
  return { height, width, channels, at: (y, x, channel) => values[(channel * height + y) * width + x]! };
}
