import { GraphWriter, OLDEST_OPSET } from '../../models/compose/graph-writer.js';
import { uint8Tensor } from '../tensor.js';
import { OnnxEngine } from './onnx-engine.js';
import type { Placement } from './placement.js';
import { errorText } from '../../kernel/errors/error-text.js';

const IR_VERSION = 8;

/**
 * Tests whether an execution provider works, with a small graph that doubles bytes. A broken driver may crash the
 * process, so call it in a separate process.
 * @returns null when it works, otherwise the runtime's message
 */
export async function probeProvider(placement: Placement): Promise<string | null> {
  try {
    const graph = await new OnnxEngine(placement).open({ kind: 'bytes', bytes: doubling(), folder: '.' });
    const { result } = await graph.run({ image: uint8Tensor([4], Uint8Array.of(0, 1, 60, 127)) });
    await graph.release();
    const got = result === undefined ? 'nothing' : result.data.join(' ');
    return got === '0 2 120 254' ? null : `it computes wrongly: 0 1 60 127 doubled is ${got}`;
  } catch (error) {
    const text = errorText(error).trim().split('\n')[0]!;
    // Source locations of the runtime do not help operators.
    return text.replace(/^\/onnxruntime_src\/.* was false\. /, '');
  }
}

function doubling(): Uint8Array {
  const graph = new GraphWriter(OLDEST_OPSET);
  const floats = graph.op('Cast', [graph.input('image', 'uint8', [4])], { to: 1 });
  const doubled = graph.op('Mul', [floats, graph.constant(2)]);
  graph.output(graph.op('Cast', [doubled], { to: 2 }), 'result', 'uint8', [4]);
  return graph.model(IR_VERSION);
}
