import { GraphWriter } from '../../../models/compose/graph-writer.js';
import { cast } from '../../../models/compose/operators.js';
import { MODEL } from '../../../models/onnx/fields.js';
import { modelHead } from '../../../models/onnx/model-head.js';
import { decodedHead, type NodeHead } from '../../../models/onnx/onnx-proto.js';
import { joined, rewritten } from '../../../models/onnx/wire.js';
import type { NamedTensors } from '../../../inference/tensor.js';

/** Operators that account for nearly all of a network's arithmetic. */
const COUNTED = new Set(['Conv', 'ConvTranspose', 'MatMul', 'Gemm']);

/** A graph that also outputs the shapes from which its arithmetic is computed. */
export interface CountingGraph {
  readonly bytes: Uint8Array;
  /** Multiplications and additions of one run, computed from its outputs. */
  readonly operations: (outputs: NamedTensors) => number;
}

/** Counts the arithmetic of convolutions and matrix products. The shapes come from the runtime. */
export function countingGraph(bytes: Uint8Array): CountingGraph {
  const nodes = (decodedHead(bytes)['graph'] as { readonly node: readonly NodeHead[] }).node.filter(
    ({ opType }) => COUNTED.has(opType),
  );
  const g = new GraphWriter(modelHead(bytes).opset, 'count/');
  const shape = (value: string, name: string): void =>
    g.output(cast(g, g.op('Shape', [{ name: value }]), 'float32'), name, 'float32', null);
  nodes.forEach(({ input, output }, index) => {
    shape(output[0]!, `count/${index}/out`);
    shape(input[0]!, `count/${index}/in`);
    shape(input[1]!, `count/${index}/weights`);
  });
  return {
    bytes:
      nodes.length === 0
        ? bytes
        : rewritten(bytes, { [MODEL.graph]: (graph) => joined([graph, g.fields()]) }),
    operations: (outputs) =>
      nodes.reduce((sum, { opType }, index) => {
        const of = (which: string): readonly number[] => [...outputs[`count/${index}/${which}`]!.data];
        return sum + 2 * multiplications(opType, of('in'), of('weights'), of('out'));
      }, 0),
  };
}

function multiplications(
  kind: string,
  input: readonly number[],
  weights: readonly number[],
  output: readonly number[],
): number {
  const product = (dims: readonly number[]): number => dims.reduce((a, b) => a * b, 1);
  if (kind === 'Conv') return product(output) * product(weights.slice(1));
  if (kind === 'ConvTranspose') return product(input) * product(weights.slice(1));
  // A matrix product sums over the axis of its second factor that is not in the output.
  return product(output) * (weights.length < 2 ? weights[0]! : weights.at(-2)!);
}
