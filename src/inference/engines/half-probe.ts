import type { GraphSource } from '../../models/compose/compose-stage.js';
import { GraphWriter } from '../../models/compose/graph-writer.js';
import { float32Tensor } from '../tensor.js';
import type { Graph } from './engine.js';

const OPSET = 17;
const IR_VERSION = 8;
const [FLOAT, HALF] = [1, 10];

/**
 * Whether a device supports half precision, tested with a small graph: not every GPU driver has 16-bit shaders, and
 * WebGPU rejects a graph that needs them.
 * @param open loads a graph on the device
 */
export async function computesHalf(open: (graph: GraphSource) => Promise<Graph>): Promise<boolean> {
  try {
    const graph = await open({ kind: 'bytes', bytes: squaring(), folder: '.' });
    const { y } = await graph.run({ x: float32Tensor([1, 1, 2, 2], [0, 1, 2, 3]) });
    await graph.release();
    return y !== undefined && [...y.data].join(' ') === '0 1 4 9';
  } catch {
    return false;
  }
}

function squaring(): Uint8Array {
  const graph = new GraphWriter(OPSET);
  const half = graph.op('Cast', [graph.input('x', 'float32', [1, 1, 2, 2])], { to: HALF });
  graph.output(
    graph.op('Cast', [graph.op('Mul', [half, half])], { to: FLOAT }),
    'y',
    'float32',
    [1, 1, 2, 2],
  );
  return graph.model(IR_VERSION);
}
