import { Writer } from 'protobufjs';
import { encodedOpset } from '../compose/graph-writer.js';
import { encoded } from '../onnx/onnx-proto.js';
import { delimited, joined, utf8 } from '../onnx/wire.js';

const FLOAT32 = 1;

/** `y = x · w`, with the single number `w` in a separate file, where large models keep their weights. */
export function externalModel(file: string): Uint8Array {
  const entry = (key: string, value: string): Uint8Array =>
    joined([...delimited(1, utf8(key)), ...delimited(2, utf8(value))]);
  const dataLocationExternal = Writer.create().uint32(112).uint32(1).finish();
  const weight = joined([
    encoded('Tensor', { dims: [1], dataType: FLOAT32, name: 'w' }),
    ...delimited(13, entry('location', file)),
    ...delimited(13, entry('offset', '0')),
    ...delimited(13, entry('length', '4')),
    dataLocationExternal,
  ]);
  const dim = [{ dimParam: 'N' }, { dimValue: 3 }, { dimParam: 'H' }, { dimParam: 'W' }];
  const image = (name: string): Uint8Array =>
    encoded('ValueInfo', { name, type: { tensorType: { elemType: FLOAT32, shape: { dim } } } });
  const graph = joined([
    ...delimited(1, encoded('Node', { input: ['x', 'w'], output: ['y'], opType: 'Mul', name: 'product' })),
    ...delimited(2, utf8('external')),
    ...delimited(5, weight),
    ...delimited(11, image('x')),
    ...delimited(12, image('y')),
  ]);
  return joined([Uint8Array.of(8, 8), ...delimited(7, graph), encodedOpset(17)]);
}
