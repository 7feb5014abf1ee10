import { ATTRIBUTE, ELEMENT, GRAPH, MODEL, NODE, TENSOR, VALUE_INFO } from '../onnx/fields.js';
import { decodedTensor } from '../onnx/onnx-proto.js';
import { fieldsOf, MalformedModel, textOf } from '../onnx/wire.js';

/** A standard ONNX convolution whose weights are stored in the file in single precision. */
export interface Convolution {
  /** Position of its node in the graph. It identifies the node, because nodes need not have a name. */
  readonly node: number;
  /** Name of the value that it reads. */
  readonly input: string;
  readonly weight: StoredTensor;
  /** Null without a bias, or when the bias is computed. */
  readonly bias: StoredTensor | null;
}

/** An initializer of float32. */
export interface StoredTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

/** Number of axes of the weights of a convolution over height and width. */
const RANK = 4;

/** The payload of a model's graph. @throws MalformedModel */
export function graphOf(model: Uint8Array): Uint8Array {
  for (const { number, payload } of fieldsOf(model))
    if (number === MODEL.graph && payload !== null) return payload;
  throw new MalformedModel('the file holds no ONNX graph');
}

/** Every such convolution of the graph itself, without those in the bodies of If and Loop. @throws MalformedModel */
export function convolutionsOf(model: Uint8Array): readonly Convolution[] {
  const graph = graphOf(model);
  const stored = new Map(storedTensors(graph).map((tensor) => [tensor.name, tensor]));
  const found: Convolution[] = [];
  let node = 0;
  for (const { number, payload } of fieldsOf(graph)) {
    if (number !== GRAPH.node || payload === null) continue;
    const { kind, domain, inputs } = nodeHead(payload);
    const [input, weightName, biasName] = inputs;
    const weight = stored.get(weightName ?? '');
    if (kind === 'Conv' && domain === '' && input !== undefined && weight?.dims.length === RANK)
      found.push({ node, input, weight, bias: stored.get(biasName ?? '') ?? null });
    node += 1;
  }
  return found;
}

/** The operator and inputs of a node. */
export function nodeHead(node: Uint8Array): {
  readonly kind: string;
  readonly domain: string;
  readonly inputs: readonly string[];
} {
  let [kind, domain] = ['', ''];
  const inputs: string[] = [];
  for (const { number, payload } of fieldsOf(node)) {
    if (payload === null) continue;
    if (number === NODE.input) inputs.push(textOf(payload));
    else if (number === NODE.opType) kind = textOf(payload);
    else if (number === NODE.domain) domain = textOf(payload);
  }
  return { kind, domain: domain === 'ai.onnx' ? '' : domain, inputs };
}

/** Whether a node contains subgraphs, as If, Loop and Scan do. */
export function hasBodies(node: Uint8Array): boolean {
  for (const { number, payload } of fieldsOf(node)) {
    if (number !== NODE.attribute || payload === null) continue;
    for (const attribute of fieldsOf(payload))
      if (attribute.number === ATTRIBUTE.graph || attribute.number === ATTRIBUTE.graphs) return true;
  }
  return false;
}

function storedTensors(graph: Uint8Array): readonly StoredTensor[] {
  const found: StoredTensor[] = [];
  for (const { number, payload } of fieldsOf(graph)) {
    if (number !== GRAPH.initializer || payload === null) continue;
    const { dims, dataType, name, rawData, floatData } = decodedTensor(payload);
    if (dataType !== ELEMENT.float32) continue;
    const size = dims.reduce((a, b) => a * b, 1);
    const values = rawData.length > 0 ? floatsOf(rawData) : Float32Array.from(floatData);
    if (values.length === size && size > 0) found.push({ name, dims, values });
  }
  return found;
}

/** Reads little-endian floats at any offset. */
function floatsOf(bytes: Uint8Array): Float32Array {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer, 0, Math.floor(copy.length / Float32Array.BYTES_PER_ELEMENT));
}

/** Name of an initializer. */
export function initializerName(tensor: Uint8Array): string {
  return textAt(tensor, TENSOR.name);
}

/** Name of a declared input. */
export function inputName(value: Uint8Array): string {
  return textAt(value, VALUE_INFO.name);
}

function textAt(message: Uint8Array, field: number): string {
  for (const { number, payload } of fieldsOf(message))
    if (number === field && payload !== null) return textOf(payload);
  return '';
}
