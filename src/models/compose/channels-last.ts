import { ELEMENT, type ElementName, GRAPH, MODEL, NODE } from '../onnx/fields.js';
import { decodedHead, encoded, type NodeHead } from '../onnx/onnx-proto.js';
import { delimited, fieldsOf, joined, rewritten, utf8 } from '../onnx/wire.js';

/** The domain of ONNX Runtime's operators that take and return [N,H,W,C]. */
const DOMAIN = 'com.ms.internal.nhwc';

/** Prefix of every name that this module adds to a graph. */
const OURS = 'nhwc/';
/** Number of axes of the weights of a convolution over height and width. */
const RANK = 4;
const TO_CHANNELS_LAST = [0, 2, 3, 1];
const TO_CHANNELS_FIRST = [0, 3, 1, 2];
/** Attribute type for a list of integers. */
const INTS = 7;

/** The descriptive part of a model, as far as it is needed here. */
interface Head {
  readonly opsetImport: readonly { readonly domain: string; readonly version: number }[];
  readonly graph: null | {
    readonly node: readonly (NodeHead & { readonly domain: string })[];
    readonly initializer: readonly {
      readonly name: string;
      readonly dims: readonly number[];
      readonly dataType: number;
    }[];
  };
}

/**
 * A model whose convolutions compute on [N,H,W,C]. cuDNN otherwise converts the input and the output of each
 * convolution in half precision. A transposition is added before and after each convolution; ONNX Runtime removes those
 * that cancel out, also across operators between them. The bias is added by a separate operator, because cuDNN's takes
 * twice as long. Changes only convolutions with stored weights and one group.
 * @param type element type of the weights of the convolutions to change
 * @returns the model and the number of changed convolutions
 * @throws MalformedModel
 */
export function channelsLast(
  model: Uint8Array,
  type: ElementName = 'float16',
): { readonly model: Uint8Array; readonly count: number } {
  const { graph: head, opsetImport } = decodedHead(model) as unknown as Head;
  const stored = new Map(
    (head?.initializer ?? [])
      .filter(({ dataType }) => dataType === ELEMENT[type])
      .map(({ name, dims }) => [name, dims.length]),
  );
  const writer = new ChannelsLastWriter();
  const write = (graph: Uint8Array): Uint8Array => {
    const parts: Uint8Array[] = [];
    let index = 0;
    for (const { number, payload, raw } of fieldsOf(graph)) {
      const node = number === GRAPH.node ? head?.node[index++] : undefined;
      if (node === undefined || payload === null || !isChanged(node, stored)) parts.push(raw);
      else parts.push(...writer.convolution(payload, node));
    }
    return joined(parts);
  };
  const changed = rewritten(model, { [MODEL.graph]: write });
  if (writer.count === 0) return { model, count: 0 };
  const version = opsetImport.find(({ domain }) => domain === '' || domain === 'ai.onnx')?.version;
  const opset = encoded('Opset', { domain: DOMAIN, version });
  return { model: joined([changed, ...delimited(MODEL.opsetImport, opset)]), count: writer.count };
}

/** @param stored number of axes of each stored tensor of the type, by name */
function isChanged(
  { opType, domain, input, attribute }: NodeHead & { readonly domain: string },
  stored: ReadonlyMap<string, number>,
): boolean {
  const [, weight = '', bias = ''] = input;
  const groups = attribute.find(({ name }) => name === 'group')?.i ?? 1;
  return (
    opType === 'Conv' &&
    (domain === '' || domain === 'ai.onnx') &&
    stored.get(weight) === RANK &&
    (bias === '' || stored.has(bias)) &&
    groups === 1
  );
}

/** Writes the nodes around convolutions; the transposition of a value only once. */
class ChannelsLastWriter {
  private readonly transposed = new Set<string>();
  count = 0;

  /** Fields of a graph: the nodes that replace a convolution. */
  convolution(node: Uint8Array, { input, output }: NodeHead): readonly Uint8Array[] {
    this.count += 1;
    const [from, weight, bias = ''] = input as [string, string, string?];
    const to = output[0]!;
    const [before, product, after] = [`${OURS}${from}`, `${OURS}${to}/product`, `${OURS}${to}`];
    const parts: Uint8Array[] = [];
    if (!this.transposed.has(from)) parts.push(...transposition(from, before, TO_CHANNELS_LAST));
    this.transposed.add(from);
    parts.push(...delimited(GRAPH.node, reconnected(node, [before, weight], bias === '' ? after : product)));
    if (bias !== '') parts.push(...added([product, bias], after));
    return [...parts, ...transposition(after, to, TO_CHANNELS_FIRST)];
  }
}

function transposition(input: string, output: string, axes: readonly number[]): readonly Uint8Array[] {
  const attribute = [{ name: 'perm', ints: axes, type: INTS }];
  const name = `${output}/Transpose`;
  return delimited(
    GRAPH.node,
    encoded('Node', { input: [input], output: [output], name, opType: 'Transpose', attribute }),
  );
}

function added(input: readonly string[], output: string): readonly Uint8Array[] {
  const node = { input, output: [output], name: `${output}/Add`, opType: 'Add' };
  return delimited(GRAPH.node, encoded('Node', node));
}

/** The node in the other domain, with other inputs and another output. */
function reconnected(node: Uint8Array, inputs: readonly string[], output: string): Uint8Array {
  const dropped = (): null => null;
  const rest = rewritten(node, { [NODE.input]: dropped, [NODE.output]: dropped, [NODE.domain]: dropped });
  return joined([
    ...inputs.flatMap((name) => delimited(NODE.input, utf8(name))),
    ...delimited(NODE.output, utf8(output)),
    rest,
    ...delimited(NODE.domain, utf8(DOMAIN)),
  ]);
}
