import { GraphWriter, type Value } from '../../../models/compose/graph-writer.js';
import { float32Tensor, type NamedTensors } from '../../../inference/tensor.js';

const CHANNELS = 32;
const KERNEL = 9;
const OPSET = 17;
const IR_VERSION = 8;

/**
 * A stack of plain 3×3 convolutions with about as much arithmetic as a model: an estimate of the device's peak speed.
 */
export interface PlainConvolution {
  readonly bytes: Uint8Array;
  readonly inputs: NamedTensors;
  readonly operations: number;
}

/** @param edge pixels along each side @param operations target number of multiplications and additions */
export function plainConvolution(edge: number, operations: number): PlainConvolution {
  const each = 2 * edge * edge * CHANNELS * CHANNELS * KERNEL;
  const layers = Math.max(1, Math.round(operations / each));
  const g = new GraphWriter(OPSET);
  let x: Value = g.input('x', 'float32', [1, CHANNELS, edge, edge]);
  const weights = g.constant(
    Array.from({ length: CHANNELS * CHANNELS * KERNEL }, (_, at) => ((at % 17) - 8) / 500),
    'float32',
    [CHANNELS, CHANNELS, 3, 3],
  );
  // Without a bias, the values of a deep stack would become denormal, and a CPU takes 20 times as long for those.
  const bias = g.constant(
    Array.from({ length: CHANNELS }, () => 0.1),
    'float32',
    [CHANNELS],
  );
  for (let layer = 0; layer < layers; layer++)
    x = g.op('Relu', [g.op('Conv', [x, weights, bias], { kernel_shape: [3, 3], pads: [1, 1, 1, 1] })]);
  // The output is a single number, so the time to transfer the result does not count.
  g.output(g.op('ReduceMean', [x], { keepdims: 0 }), 'y', 'float32', null);
  const values = Array.from({ length: CHANNELS * edge * edge }, (_, at) => (at % 255) / 255);
  return {
    bytes: g.model(IR_VERSION),
    inputs: { x: float32Tensor([1, CHANNELS, edge, edge], values) },
    operations: layers * each,
  };
}
