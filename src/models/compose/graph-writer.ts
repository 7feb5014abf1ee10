import { ELEMENT, type ElementName, GRAPH, MODEL } from '../onnx/fields.js';
import { encoded } from '../onnx/onnx-proto.js';
import { delimited, joined } from '../onnx/wire.js';

/** A named tensor of the graph being written. */
export interface Value {
  readonly name: string;
}

type AttributeValue = number | string | readonly number[];

/** A number as an attribute; floats and ints are different types in ONNX. */
export interface FloatAttribute {
  readonly float: number;
}

const ATTRIBUTE_TYPE = { float: 1, int: 2, string: 3, ints: 7 } as const;

/** The first opset whose Resize supports half-pixel centers. */
export const OLDEST_OPSET = 11;

/**
 * Writes an ONNX graph node by node. Opsets differ in how operators take their settings. The helpers below write each
 * operator for the graph's opset, because a composed graph must use the opset of the foreign graph.
 */
export class GraphWriter {
  private readonly parts: Uint8Array[] = [];
  private readonly ends: Uint8Array[] = [];
  private readonly constants = new Map<string, Value>();
  private count = 0;

  /** @param prefix of every name that this program adds to a graph */
  constructor(
    readonly opset: number,
    private readonly prefix = 'ours/',
  ) {}

  /** Declares an input. A string in `dims` is a dynamic axis. */
  input(name: string, type: ElementName, dims: readonly (number | string)[]): Value {
    this.ends.push(...delimited(GRAPH.input, valueInfo(name, type, dims)));
    return { name };
  }

  /** Declares an output under a name. Null means any shape. */
  output(value: Value, name: string, type: ElementName, dims: readonly (number | string)[] | null): void {
    this.node('Identity', [value], [name]);
    this.ends.push(...delimited(GRAPH.output, valueInfo(name, type, dims)));
  }

  /**
   * An initializer of float32, int64, or uint8. Equal ones are stored once. Without dims, it is a vector, or a scalar
   * for a number.
   */
  constant(
    values: number | readonly number[],
    type: ElementName = 'float32',
    dims?: readonly number[],
  ): Value {
    const list = typeof values === 'number' ? [values] : values;
    const shape = dims ?? (typeof values === 'number' ? [] : [list.length]);
    const key = JSON.stringify([type, shape, list]);
    const known = this.constants.get(key);
    if (known !== undefined) return known;
    const name = `${this.prefix}c${this.constants.size}`;
    const tensor = encoded('Tensor', {
      dims: shape,
      dataType: ELEMENT[type],
      name,
      rawData: rawData(list, type),
    });
    this.parts.push(...delimited(GRAPH.initializer, tensor));
    this.constants.set(key, { name });
    return { name };
  }

  /** Includes fields of another graph (nodes, initializers) whose names are already prefixed. */
  include(body: Uint8Array): void {
    this.parts.push(body);
  }

  /** Appends a node with one output; null omits an optional input. */
  op(
    kind: string,
    inputs: readonly (Value | null)[],
    attributes: Readonly<Record<string, AttributeValue | FloatAttribute>> = {},
  ): Value {
    return this.named(`${this.prefix}${kind.toLowerCase()}${this.count}`, kind, inputs, attributes);
  }

  /** Like `op`, with the output under the given name. */
  named(
    name: string,
    kind: string,
    inputs: readonly (Value | null)[],
    attributes: Readonly<Record<string, AttributeValue | FloatAttribute>> = {},
  ): Value {
    this.node(kind, inputs, [name], attributes);
    return { name };
  }

  private node(
    kind: string,
    inputs: readonly (Value | null)[],
    output: readonly string[],
    attributes: Readonly<Record<string, AttributeValue | FloatAttribute>> = {},
  ): void {
    const node = encoded('Node', {
      input: inputs.map((value) => value?.name ?? ''),
      output,
      name: `${this.prefix}n${this.count++}`,
      opType: kind,
      attribute: Object.entries(attributes).map(([name, value]) => attribute(name, value)),
    });
    this.parts.push(...delimited(GRAPH.node, node));
  }

  /** The written graph, as fields of a graph. */
  fields(): Uint8Array {
    return joined([...this.parts, ...this.ends]);
  }

  /** The graph as a model. @param extra fields of a foreign model: its other opsets and functions */
  model(irVersion: number, extra: Uint8Array = encodedOpset(this.opset)): Uint8Array {
    const graph = joined([this.fields(), ...delimited(GRAPH.name, Buffer.from('composed'))]);
    const producer = Buffer.from('models/manifest.schema.json');
    return joined([
      Uint8Array.of(MODEL.irVersion << 3, irVersion),
      ...delimited(MODEL.producerName, producer),
      ...delimited(MODEL.graph, graph),
      extra,
    ]);
  }
}

/** The import of ONNX's own operators, as a field of a model. */
export function encodedOpset(version: number): Uint8Array {
  return joined(delimited(MODEL.opsetImport, encoded('Opset', { domain: '', version })));
}

function valueInfo(name: string, type: ElementName, dims: readonly (number | string)[] | null): Uint8Array {
  const dim = dims?.map((size) => (typeof size === 'number' ? { dimValue: size } : { dimParam: size }));
  const tensorType = { elemType: ELEMENT[type], ...(dim && { shape: { dim } }) };
  return encoded('ValueInfo', { name, type: { tensorType } });
}

function attribute(name: string, value: AttributeValue | FloatAttribute): Record<string, unknown> {
  if (typeof value === 'number') return { name, i: value, type: ATTRIBUTE_TYPE.int };
  if (typeof value === 'string') return { name, s: Buffer.from(value), type: ATTRIBUTE_TYPE.string };
  if ('float' in value) return { name, f: value.float, type: ATTRIBUTE_TYPE.float };
  return { name, ints: [...value], type: ATTRIBUTE_TYPE.ints };
}

function rawData(values: readonly number[], type: ElementName): Uint8Array {
  if (type === 'uint8') return Uint8Array.from(values);
  if (type === 'int8') return new Uint8Array(Int8Array.from(values).buffer);
  if (type === 'int64') return new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
  if (type === 'float32') return new Uint8Array(Float32Array.from(values).buffer);
  throw new TypeError('half precision constants are not written; cast a float32 one');
}
