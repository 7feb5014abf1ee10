import { readFileSync } from 'node:fs';
import { built } from '../../lib/built.mjs';

/** Field numbers of onnx.proto. */
const MODEL_GRAPH = 7;
const GRAPH = { node: 1, input: 11, output: 12 };
const FLOAT32 = 1;
const ATTRIBUTE = { int: 2, string: 3 };

/**
 * Extracts the float network from one of the super-resolution graphs: without casts, transposes, scaling, rounding, and
 * the alpha path, as used by a program that loops over pixels itself.
 * @returns the model's bytes, float32 [N,3,H,W] 0..1 in (`input`) and out (`output`)
 */
export async function floatTwin(path, scale) {
  const { decodedHead, encoded } = await built('models/onnx/onnx-proto.js');
  const { rewritten, fieldsOf, delimited, joined } = await built('models/onnx/wire.js');
  const bytes = readFileSync(path);
  const nodes = decodedHead(bytes).graph.node;
  const input = nodes.find(({ opType }) => opType === 'Conv').input[0];
  // The sum of both branches of the network, before it is scaled to 0..255 and rounded.
  const makerOf = (name) => nodes.find((node) => node.output.includes(name));
  const rounded = nodes.find((node) => node.opType === 'Round' && ancestors(nodes, node).has(input));
  const sum = makerOf(makerOf(rounded.input[0]).input[0]);
  const output = 'pixels';
  const shuffle = encoded('Node', {
    input: sum.output,
    output: [output],
    opType: 'DepthToSpace',
    attribute: [
      { name: 'blocksize', i: scale, type: ATTRIBUTE.int },
      { name: 'mode', s: Buffer.from('CRD'), type: ATTRIBUTE.string },
    ],
  });
  const wanted = new Set([...ancestors(nodes, sum, input), ...sum.output]);
  const value = (name) =>
    encoded('ValueInfo', {
      name,
      type: {
        tensorType: {
          elemType: FLOAT32,
          shape: {
            dim: [{ dimParam: 'N' }, { dimValue: 3 }, { dimParam: `${name}H` }, { dimParam: `${name}W` }],
          },
        },
      },
    });
  const keepNode = (payload) => (wanted.has(outputOf(fieldsOf, payload)) ? payload : null);
  const graph = (payload) => {
    const kept = rewritten(payload, {
      [GRAPH.node]: keepNode,
      [GRAPH.input]: () => null,
      [GRAPH.output]: () => null,
    });
    return joined([
      kept,
      ...delimited(GRAPH.node, shuffle),
      ...delimited(GRAPH.input, value(input)),
      ...delimited(GRAPH.output, value(output)),
    ]);
  };
  return { bytes: rewritten(bytes, { [MODEL_GRAPH]: graph }), input, output };
}

/** Names of all values that a node depends on. Does not go beyond `until`. */
function ancestors(nodes, node, until) {
  const makers = new Map(nodes.flatMap((maker) => maker.output.map((name) => [name, maker])));
  const found = new Set();
  const open = [...node.input];
  while (open.length > 0) {
    const name = open.pop();
    if (found.has(name) || name === until) continue;
    found.add(name);
    open.push(...(makers.get(name)?.input ?? []));
  }
  return found;
}

/** The first output of an encoded node. */
function outputOf(fieldsOf, payload) {
  for (const { number, payload: text } of fieldsOf(payload))
    if (number === 2) return Buffer.from(text).toString('utf8');
  return undefined;
}
