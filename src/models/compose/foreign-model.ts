import { fieldsOf, joined, textOf, delimited, MalformedModel } from '../onnx/wire.js';
import { MODEL } from '../onnx/fields.js';
import { modelHead, type ModelHead } from '../onnx/model-head.js';
import { foreignBody } from '../onnx/prefix-names.js';
import { encodedOpset, OLDEST_OPSET } from './graph-writer.js';

/** A parsed foreign ONNX file, ready to be joined into another graph. */
export interface ForeignModel {
  readonly head: ModelHead;
  /** Renamed nodes and weights: fields of a graph. */
  readonly body: Uint8Array;
  readonly irVersion: number;
  /** Opset imports and functions: fields of a model. */
  readonly extra: Uint8Array;
}

/** The oldest IR version in which weights need not also be inputs. */
const MIN_IR = 4;

/** @throws MalformedModel; Error for an unsupported opset */
export function foreignModel(bytes: Uint8Array): ForeignModel {
  const head = modelHead(bytes);
  if (head.opset < OLDEST_OPSET) {
    throw new Error(
      `the file uses ONNX opset ${head.opset}, but an adapter needs ${OLDEST_OPSET} or newer; export it again`,
    );
  }
  const fields = [...fieldsOf(bytes)];
  const graph = fields.find(({ number }) => number === MODEL.graph)?.payload;
  if (!graph) throw new MalformedModel('the file holds no ONNX graph');
  const kept = fields.filter(
    ({ number, payload }) =>
      number === MODEL.functions ||
      (number === MODEL.opsetImport && payload !== null && domainOf(payload) !== ''),
  );
  return {
    head,
    body: foreignBody(graph),
    irVersion: Math.max(MIN_IR, head.irVersion),
    extra: joined([
      encodedOpset(head.opset),
      ...kept.flatMap(({ number, payload }) => delimited(number, payload!)),
    ]),
  };
}

function domainOf(opset: Uint8Array): string {
  for (const { number, payload } of fieldsOf(opset))
    if (number === 1 && payload !== null) return textOf(payload).replace(/^ai\.onnx$/, '');
  return '';
}
