import { encodedOpset, GraphWriter } from '../compose/graph-writer.js';
import { GRAPH, MODEL } from '../onnx/fields.js';
import { encoded } from '../onnx/onnx-proto.js';
import { delimited, joined } from '../onnx/wire.js';

const IR_VERSION = 8;
const OPSET = 17;

/** An ONNX file with one node whose operator no runtime has. @param domain empty for ONNX's own domain */
export function unknownOperatorModel(opType: string, domain: string): Uint8Array {
  const dims = ['N', 3, 'H', 'W'];
  const g = new GraphWriter(OPSET, 'ours/');
  g.input('x', 'float32', dims);
  g.include(
    joined(
      delimited(GRAPH.node, encoded('Node', { input: ['x'], output: ['made'], name: 'n', opType, domain })),
    ),
  );
  g.output({ name: 'made' }, 'y', 'float32', dims);
  const own = delimited(MODEL.opsetImport, encoded('Opset', { domain, version: 1 }));
  return g.model(IR_VERSION, joined([encodedOpset(OPSET), ...(domain === '' ? [] : own)]));
}
