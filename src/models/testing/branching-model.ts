import { Writer } from 'protobufjs';
import { encodedOpset } from '../compose/graph-writer.js';
import { encoded } from '../onnx/onnx-proto.js';
import { delimited, joined, utf8 } from '../onnx/wire.js';

const FLOAT32 = 1;
const BOOL = 9;

/** `y = if (true) then x else −x`. Both branches are subgraphs that read `x` from outside. */
export function branchingModel(): Uint8Array {
  const value = (name: string, type: number): Uint8Array =>
    encoded('ValueInfo', { name, type: { tensorType: { elemType: type } } });
  const branch = (kind: string, name: string): Uint8Array =>
    joined([
      ...delimited(1, encoded('Node', { input: ['x'], output: [name], opType: kind, name })),
      ...delimited(2, utf8(name)),
      ...delimited(12, value(name, FLOAT32)),
    ]);
  const attribute = (name: string, graph: Uint8Array): Uint8Array =>
    joined([
      ...delimited(1, utf8(name)),
      ...delimited(6, graph),
      Writer.create().uint32(160).uint32(5).finish(),
    ]);
  const condition = { dims: [], dataType: BOOL, name: 'condition', rawData: Uint8Array.of(1) };
  const choice = joined([
    encoded('Node', { input: ['condition'], output: ['y'], opType: 'If', name: 'choice' }),
    ...delimited(5, attribute('then_branch', branch('Identity', 'same'))),
    ...delimited(5, attribute('else_branch', branch('Neg', 'other'))),
  ]);
  const graph = joined([
    ...delimited(1, choice),
    ...delimited(2, utf8('branching')),
    ...delimited(5, encoded('Tensor', condition)),
    ...delimited(11, encoded('ValueInfo', { name: 'x', type: imageType() })),
    ...delimited(12, value('y', FLOAT32)),
  ]);
  return joined([Uint8Array.of(8, 8), ...delimited(7, graph), encodedOpset(17)]);
}

function imageType(): Record<string, unknown> {
  const dim = [{ dimParam: 'N' }, { dimValue: 3 }, { dimParam: 'H' }, { dimParam: 'W' }];
  return { tensorType: { elemType: FLOAT32, shape: { dim } } };
}
