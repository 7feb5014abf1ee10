import { channelsLast } from '../../models/compose/channels-last.js';
import type { GraphSource } from '../../models/compose/compose-stage.js';
import { GraphWriter } from '../../models/compose/graph-writer.js';
import { float32Tensor } from '../tensor.js';
import type { Graph } from './engine.js';

const OPSET = 17;
const IR_VERSION = 8;
const DIMS = [1, 2, 1, 2];

/**
 * Whether a device runs the graphs that `channelsLast` writes, tested with a small one. Their operators belong to the
 * runtime and are not part of ONNX, so another version of it may lack them.
 * @param open loads a graph on the device
 */
export async function runsChannelsLast(open: (graph: GraphSource) => Promise<Graph>): Promise<boolean> {
  try {
    const { model } = channelsLast(mixing(), 'float32');
    const graph = await open({ kind: 'bytes', bytes: model, folder: '.' });
    const { y } = await graph.run({ x: float32Tensor(DIMS, [1, 2, 3, 4]) });
    await graph.release();
    return y !== undefined && [...y.data].join(' ') === '17 20 35 42';
  } catch {
    return false;
  }
}

/** A convolution of one pixel, which mixes two channels. */
function mixing(): Uint8Array {
  const graph = new GraphWriter(OPSET);
  const weights = graph.constant([1, 2, 3, 4], 'float32', [2, 2, 1, 1]);
  const y = graph.op('Conv', [graph.input('x', 'float32', DIMS), weights, graph.constant([10, 20])]);
  graph.output(y, 'y', 'float32', DIMS);
  return graph.model(IR_VERSION);
}
