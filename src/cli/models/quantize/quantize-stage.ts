import { dirname } from 'node:path';
import { composeRender } from '../../../models/compose/compose-foreign.js';
import { foreignModel } from '../../../models/compose/foreign-model.js';
import { readModelFile } from '../../../models/files/model-file.js';
import type { Adapter } from '../../../models/manifest/adapter.js';
import type { RenderStageRef } from '../../../models/manifest/model-route.js';
import { convolutionsOf } from '../../../models/compose/convolutions.js';
import {
  quantizedConvolutions,
  rangeNames,
  type ValueRange,
  withRanges,
} from '../../../models/compose/quantize-convolutions.js';
import type { Graph } from '../../../inference/engines/engine.js';
import { OnnxEngine } from '../../../inference/engines/onnx-engine.js';
import { uint8Tensor } from '../../../inference/tensor.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { drawnCases, type Extent } from '../add/readings/drawn-pictures.js';
import { normalized } from '../add/readings/normalization.js';
import { ModelsError } from '../models-command.js';
import { type Fidelity, FidelityMeter } from './fidelity.js';

/** A file with 8-bit weights and activations, and its comparison with single precision. */
export interface QuantizedStage {
  readonly bytes: Uint8Array;
  readonly convolutions: number;
  readonly fidelity: Fidelity;
  /** Speedup over single precision on this machine. */
  readonly faster: number;
}

/** A network with fewer weights does not justify the conversions. */
const MIN_WEIGHTS = 10_000;
const EDGE = 192;
const CALIBRATION = { x: 100, y: 110 } as const;
const VALIDATION = { x: 20, y: 30 } as const;

/**
 * Quantizes the network of a render stage: measures ranges on drawn pictures, and compares results on other crops.
 * @param adapter of the stage
 * @throws ModelsError when it cannot be quantized
 */
export async function quantizeStage(
  stage: RenderStageRef,
  adapter: Adapter,
  onStep: (doing: string) => void,
): Promise<QuantizedStage> {
  const model = await readModelFile(stage.path);
  refuseOthers(stage, adapter, model);
  const { size } = adapter.input;
  const extent: Extent = size.mode === 'fixed' ? size : { height: EDGE, width: EDGE };
  onStep('calibrating');
  const ranges = await rangesOf(stage, adapter, model, drawnCases(extent, CALIBRATION));
  const { model: bytes, count } = quantizedConvolutions(model, ranges);
  onStep('comparing');
  const meter = new FidelityMeter(stage.scale);
  const [exact, integer] = [await opened(stage, adapter, model), await opened(stage, adapter, bytes)];
  try {
    const large = { height: extent.height * stage.scale, width: extent.width * stage.scale };
    for (const truth of drawnCases(large, VALIDATION)) {
      const source = meter.sourceOf(truth);
      meter.add(truth, await timed(exact, source), await timed(integer, source));
    }
  } finally {
    await exact.release();
    await integer.release();
  }
  return { bytes, convolutions: count, fidelity: meter.fidelity(), faster: meter.faster() };
}

function refuseOthers({ id }: RenderStageRef, { input, output }: Adapter, model: Uint8Array): void {
  if (input.dtype !== 'float32' || output.dtype !== 'float32')
    throw new ModelsError(
      `The stage ${id} is not in single precision; quantize the file that it was made from.`,
    );
  const { head } = foreignModel(model);
  if (head.opset < 13)
    throw new ModelsError(
      `The file of the stage ${id} has ONNX opset ${head.opset}; a scale for each channel needs 13 or newer. Export it again.`,
    );
  if (head.operators.includes('QuantizeLinear'))
    throw new ModelsError(`The file of the stage ${id} is quantized already.`);
  const weights = convolutionsOf(model).reduce((sum, { weight }) => sum + weight.values.length, 0);
  if (weights < MIN_WEIGHTS)
    throw new ModelsError(
      `The stage ${id} has ${weights} weights in convolutions; with fewer than ${MIN_WEIGHTS} nothing is gained.`,
    );
}

/** The range of every value that is an input of a convolution. */
async function rangesOf(
  { path }: RenderStageRef,
  { input }: Adapter,
  model: Uint8Array,
  pictures: readonly RawImage[],
): Promise<ReadonlyMap<string, ValueRange>> {
  const values = [...new Set(convolutionsOf(model).map((convolution) => convolution.input))];
  const engine = new OnnxEngine({ provider: 'cpu', threads: 0, isGuess: false });
  const graph = await engine.open({ kind: 'bytes', bytes: withRanges(model, values), folder: dirname(path) });
  const ranges = new Map<string, ValueRange>();
  try {
    for (const picture of pictures) {
      const outputs = await graph.run({ [input.name]: fedWith(picture, input) });
      for (const [index, name] of values.entries()) {
        const [least, largest] = rangeNames(index).map((output) => outputs[output]!.data[0]!);
        const [low, high] = ranges.get(name) ?? [Infinity, -Infinity];
        ranges.set(name, [Math.min(low, least!), Math.max(high, largest!)]);
      }
    }
  } finally {
    await graph.release();
  }
  return ranges;
}

function fedWith(picture: RawImage, input: Adapter['input']) {
  const planes = normalized(picture, input);
  const { height, width } = picture;
  const count = planes.length / (height * width);
  if (input.layout === 'NCHW')
    return { type: 'float32', dims: [1, count, height, width], data: planes } as const;
  const data = new Float32Array(planes.length);
  for (let channel = 0; channel < count; channel++)
    for (let pixel = 0; pixel < height * width; pixel++)
      data[pixel * count + channel] = planes[channel * height * width + pixel]!;
  return { type: 'float32', dims: [1, height, width, count], data } as const;
}

/** The graph that a worker would run, with this file. */
function opened({ path, scale }: RenderStageRef, adapter: Adapter, model: Uint8Array): Promise<Graph> {
  const bytes = composeRender(foreignModel(model), adapter, scale);
  const engine = new OnnxEngine({ provider: 'cpu', threads: 0, isGuess: false });
  return engine.open({ kind: 'bytes', bytes, folder: dirname(path) });
}

async function timed(
  graph: Graph,
  { data, height, width }: RawImage,
): Promise<{ readonly pixels: Uint8Array; readonly ms: number }> {
  const startMs = performance.now();
  const outputs = await graph.run({
    image: uint8Tensor([1, height, width, 3], new Uint8Array(data)),
    ...(graph.inputNames.includes('strength') && {
      strength: { type: 'float32', dims: [1], data: Float32Array.of(1) } as const,
    }),
  });
  const ms = performance.now() - startMs;
  return { pixels: outputs[graph.outputNames[0]!]!.data as Uint8Array, ms };
}
