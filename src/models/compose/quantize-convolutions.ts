import {
  type Convolution,
  convolutionsOf,
  graphOf,
  hasBodies,
  initializerName,
  inputName,
  nodeHead,
} from './convolutions.js';
import { GRAPH, INT32, ELEMENT, MODEL, NODE } from '../onnx/fields.js';
import { encoded } from '../onnx/onnx-proto.js';
import { delimited, fieldsOf, joined, rewritten, utf8 } from '../onnx/wire.js';

/** The minimum and maximum of a value over all calibration images. */
export type ValueRange = readonly [number, number];

/** Prefix of every name that this module adds to a graph. */
const OURS = 'int8/';
/** Uses 7 of 8 bits. With 8 bits, CPUs without VNNI overflow when they add products of two bytes in 16 bits. */
const MAX_WEIGHT = 63;
const STEPS = 255;
/** Attribute type for integers. */
const INT = 2;

/** Names of the outputs that `withRanges` adds for the value at an index. */
export const rangeNames = (index: number): readonly [string, string] => [
  `${OURS}least${index}`,
  `${OURS}largest${index}`,
];

/** A model that also returns the minimum and maximum of some of its values, as scalars. */
export function withRanges(model: Uint8Array, values: readonly string[]): Uint8Array {
  const extra: Uint8Array[] = [];
  for (const [index, name] of values.entries())
    for (const [which, opType] of (['ReduceMin', 'ReduceMax'] as const).entries()) {
      const output = rangeNames(index)[which]!;
      const type = { tensorType: { elemType: ELEMENT.float32, shape: { dim: [] } } };
      extra.push(
        ...encodedNode(opType, [name], output, [{ name: 'keepdims', i: 0, type: INT }]),
        ...delimited(GRAPH.output, encoded('ValueInfo', { name: output, type })),
      );
    }
  return rewritten(model, { [MODEL.graph]: (graph) => joined([graph, ...extra]) });
}

/**
 * A model whose convolutions compute with 8-bit integers: QuantizeLinear and DequantizeLinear on their inputs, one
 * scale for each output channel of their weights, and biases as 32-bit integers. The model's inputs and outputs are
 * unchanged.
 * @param ranges by the name of a convolution's input; convolutions with other inputs are unchanged
 * @returns the model, and how many convolutions changed
 */
export function quantizedConvolutions(
  model: Uint8Array,
  ranges: ReadonlyMap<string, ValueRange>,
): { readonly model: Uint8Array; readonly count: number } {
  const chosen = new Map(
    convolutionsOf(model)
      .filter(({ input }) => isUsable(ranges.get(input)))
      .map((convolution) => [convolution.node, convolution]),
  );
  const unused = unusedWeights(graphOf(model), chosen);
  const writer = new QdqWriter(ranges);
  const write = (graph: Uint8Array): Uint8Array => {
    const parts: Uint8Array[] = [];
    let node = 0;
    for (const { number, payload, raw } of fieldsOf(graph)) {
      if (payload !== null && unused.has(weightName(number, payload))) continue;
      const convolution = number === GRAPH.node ? chosen.get(node++) : undefined;
      if (convolution === undefined || payload === null) parts.push(raw);
      else parts.push(...writer.convolution(payload, convolution));
    }
    return joined(parts);
  };
  return { model: rewritten(model, { [MODEL.graph]: write }), count: chosen.size };
}

/** The name of a stored weight. Exporters for older versions of ONNX also declare weights as inputs. */
function weightName(field: number, payload: Uint8Array): string {
  if (field === GRAPH.initializer) return initializerName(payload);
  return field === GRAPH.input ? inputName(payload) : '';
}

function isUsable(range: ValueRange | undefined): boolean {
  return range !== undefined && range.every(Number.isFinite) && range[1] > range[0];
}

/** Weights that are no longer used. */
function unusedWeights(graph: Uint8Array, chosen: ReadonlyMap<number, Convolution>): ReadonlySet<string> {
  const replaced = new Set([...chosen.values()].map(({ weight }) => weight.name));
  let node = 0;
  for (const { number, payload } of fieldsOf(graph)) {
    if (number !== GRAPH.node || payload === null) continue;
    // Bodies of If, Loop and Scan may read any value of the graph.
    if (hasBodies(payload)) return new Set();
    const isChosen = chosen.has(node++);
    for (const [index, name] of nodeHead(payload).inputs.entries())
      if (!isChosen || index !== 1) replaced.delete(name);
  }
  return replaced;
}

/** Writes the nodes and constants around convolutions, each only once. */
class QdqWriter {
  private readonly written = new Set<string>();
  private count = 0;

  constructor(private readonly ranges: ReadonlyMap<string, ValueRange>) {}

  /** Fields of a graph: the inputs of the node, then the node. */
  convolution(node: Uint8Array, { input, weight, bias }: Convolution): readonly Uint8Array[] {
    const { scale } = quantizationOf(this.ranges.get(input)!);
    const scales = channelScales(weight);
    const parts = [...this.activation(input), ...this.weights(weight, scales)];
    const names = [`${OURS}${input}`, `${OURS}${weight.name}`];
    // A bias has one number for each channel, in the units of the products.
    if (bias !== null && bias.values.length === scales.length) {
      const products = scales.map((each) => each * scale);
      const name = `${OURS}bias${this.count++}`;
      parts.push(...this.constants(name, bias, products, INT32, -(2 ** 31), 2 ** 31 - 1));
      names.push(name);
    }
    return [...parts, ...delimited(GRAPH.node, renamedInputs(node, names))];
  }

  private activation(name: string): readonly Uint8Array[] {
    if (this.written.has(name)) return [];
    this.written.add(name);
    const { scale, zero } = quantizationOf(this.ranges.get(name)!);
    const [scaleName, zeroName, bytes] = [
      `${OURS}${name}/scale`,
      `${OURS}${name}/zero`,
      `${OURS}${name}/bytes`,
    ];
    const quantization = [scaleName, zeroName];
    return [
      ...initializer(scaleName, [], ELEMENT.float32, Float32Array.of(scale)),
      ...initializer(zeroName, [], ELEMENT.uint8, Uint8Array.of(zero)),
      ...encodedNode('QuantizeLinear', [name, ...quantization], bytes),
      ...encodedNode('DequantizeLinear', [bytes, ...quantization], `${OURS}${name}`),
    ];
  }

  private weights(weight: Convolution['weight'], scales: Float32Array): Uint8Array[] {
    if (this.written.has(weight.name)) return [];
    this.written.add(weight.name);
    return this.constants(`${OURS}${weight.name}`, weight, scales, ELEMENT.int8, -MAX_WEIGHT, MAX_WEIGHT);
  }

  /** Integers with one scale for each slice of the first axis, and the node that dequantizes them. */
  private constants(
    name: string,
    { dims, values }: Convolution['weight'],
    scales: Float32Array,
    type: number,
    least: number,
    largest: number,
  ): Uint8Array[] {
    const slice = values.length / scales.length;
    const integers = Array.from(values, (value, at) =>
      Math.min(largest, Math.max(least, Math.round(value / scales[Math.floor(at / slice)]!))),
    );
    const data = type === INT32 ? Int32Array.from(integers) : Int8Array.from(integers);
    return [
      ...initializer(`${name}/values`, dims, type, data),
      ...initializer(`${name}/scales`, [scales.length], ELEMENT.float32, scales),
      ...encodedNode('DequantizeLinear', [`${name}/values`, `${name}/scales`], name, [
        { name: 'axis', i: 0, type: INT },
      ]),
    ];
  }
}

/** Zero must be exactly one of the 256 steps, because padding consists of zeros. */
function quantizationOf([least, largest]: ValueRange): { readonly scale: number; readonly zero: number } {
  const [low, high] = [Math.min(0, least), Math.max(0, largest)];
  const scale = (high - low) / STEPS;
  return { scale, zero: Math.min(STEPS, Math.max(0, Math.round(-low / scale))) };
}

function channelScales({ dims, values }: Convolution['weight']): Float32Array {
  const channels = dims[0]!;
  const slice = values.length / channels;
  return Float32Array.from({ length: channels }, (_, channel) => {
    let largest = 0;
    for (let at = channel * slice; at < (channel + 1) * slice; at++)
      largest = Math.max(largest, Math.abs(values[at]!));
    // A channel of zeros may have any scale except zero.
    return largest > 0 ? largest / MAX_WEIGHT : 1;
  });
}

/** A node with its first inputs renamed. */
function renamedInputs(payload: Uint8Array, names: readonly string[]): Uint8Array {
  let index = 0;
  return rewritten(payload, {
    [NODE.input]: (own) => {
      const name = names[index++];
      return name === undefined ? own : utf8(name);
    },
  });
}

function encodedNode(
  opType: string,
  input: readonly string[],
  output: string,
  attribute: readonly Record<string, unknown>[] = [],
): readonly Uint8Array[] {
  return delimited(
    GRAPH.node,
    encoded('Node', { input, output: [output], name: `${output}/${opType}`, opType, attribute }),
  );
}

function initializer(
  name: string,
  dims: readonly number[],
  dataType: number,
  values: Float32Array | Uint8Array | Int8Array | Int32Array,
): readonly Uint8Array[] {
  const rawData = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return delimited(GRAPH.initializer, encoded('Tensor', { dims, dataType, name, rawData }));
}
