import { GraphWriter } from './graph-writer.js';
import { cast } from './operators.js';
import { ELEMENT, MODEL } from '../onnx/fields.js';
import { modelHead } from '../onnx/model-head.js';
import { decodedHead, type NodeHead } from '../onnx/onnx-proto.js';
import { joined, rewritten } from '../onnx/wire.js';

/** Name of the additional output: a float32 scalar, 0 when every watched number is finite, otherwise NaN. */
export const FINITE = 'probe/finite';

/** Operators that may hide non-finite numbers, because they round, clip, or move them. */
const COVERS = new Set(['Clip', 'Round', 'Floor', 'Ceil', 'Identity', 'Transpose', 'Min', 'Max', 'Relu']);

/**
 * A model that also returns whether its numbers are finite. Bytes cannot be NaN, so the probe watches the numbers
 * before each cast to bytes, and every float output. The sum of x · 0 is NaN when any x is NaN or infinite.
 * @param names additional values to watch
 */
export function withFiniteProbe(bytes: Uint8Array, names: readonly string[]): Uint8Array {
  const { opset, outputs } = modelHead(bytes);
  const watched = new Set([
    ...names,
    ...outputs.filter(({ type }) => type === 'float32' || type === 'float16').map(({ name }) => name),
    ...beforeBytes(nodesOf(bytes)),
  ]);
  const g = new GraphWriter(opset, 'probe/');
  const sums = [...watched].map((name) =>
    g.op('ReduceSum', [g.op('Mul', [cast(g, { name }, 'float32'), g.constant(0)])], { keepdims: 0 }),
  );
  if (sums.length === 0) return bytes;
  g.output(
    sums.reduce((a, b) => g.op('Add', [a, b])),
    FINITE,
    'float32',
    [],
  );
  return rewritten(bytes, { [MODEL.graph]: (graph) => joined([graph, g.fields()]) });
}

function nodesOf(bytes: Uint8Array): readonly NodeHead[] {
  return (decodedHead(bytes)['graph'] as { readonly node: readonly NodeHead[] }).node;
}

/** The numbers that are converted to bytes. */
function beforeBytes(nodes: readonly NodeHead[]): readonly string[] {
  const makers = new Map(nodes.flatMap((node) => node.output.map((name) => [name, node] as const)));
  const source = (name: string): string => {
    const maker = makers.get(name);
    const from = maker?.input[0];
    return maker !== undefined && from !== undefined && COVERS.has(maker.opType) ? source(from) : name;
  };
  return nodes
    .filter(
      ({ opType, attribute }) =>
        opType === 'Cast' && attribute.some(({ name, i }) => name === 'to' && i === ELEMENT.uint8),
    )
    .map(({ input }) => source(input[0]!));
}
