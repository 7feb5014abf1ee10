import {
  ATTRIBUTE,
  GRAPH,
  NODE,
  QUANTIZATION,
  SPARSE_TENSOR,
  STRING_ENTRY,
  TENSOR,
  VALUE_INFO,
} from './fields.js';
import { type Rewrite, rewritten, textOf, utf8 } from './wire.js';

/** Prefix of a foreign graph's names in a composed graph, so that they cannot collide with ours. */
export const FOREIGN = 'model/';

/** The new name of a foreign value. The empty name, which omits an input, is kept. */
export function foreignName(name: string): string {
  return name === '' ? '' : `${FOREIGN}${name}`;
}

const renamed: Rewrite = (payload) => utf8(foreignName(textOf(payload)));
const dropped: Rewrite = () => null;

const renamedTensor: Rewrite = (payload) => rewritten(payload, { [TENSOR.name]: renamed });

const renamedValueInfo: Rewrite = (payload) => rewritten(payload, { [VALUE_INFO.name]: renamed });

const renamedAttribute: Rewrite = (payload) =>
  rewritten(payload, { [ATTRIBUTE.graph]: renamedSubgraph, [ATTRIBUTE.graphs]: renamedSubgraph });

const renamedNode: Rewrite = (payload) =>
  rewritten(payload, {
    [NODE.input]: renamed,
    [NODE.output]: renamed,
    [NODE.name]: renamed,
    [NODE.attribute]: renamedAttribute,
  });

const EVERY_GRAPH: Readonly<Record<number, Rewrite>> = {
  [GRAPH.node]: renamedNode,
  [GRAPH.initializer]: renamedTensor,
  [GRAPH.sparseInitializer]: (payload) => rewritten(payload, { [SPARSE_TENSOR.values]: renamedTensor }),
  [GRAPH.quantization]: (payload) =>
    rewritten(payload, {
      [QUANTIZATION.tensorName]: renamed,
      [QUANTIZATION.parameters]: (entry) => rewritten(entry, { [STRING_ENTRY.value]: renamed }),
    }),
  // Shapes recorded by the exporter would be wrong for another batch or size.
  [GRAPH.valueInfo]: dropped,
};

/** The bodies of If, Loop, and Scan: their inputs and outputs keep their types. */
function renamedSubgraph(payload: Uint8Array): Uint8Array {
  return rewritten(payload, {
    ...EVERY_GRAPH,
    [GRAPH.input]: renamedValueInfo,
    [GRAPH.output]: renamedValueInfo,
  });
}

/**
 * The renamed nodes and weights of a foreign graph, as fields to be joined into another graph. Its name, inputs, and
 * outputs are omitted: other nodes replace them.
 */
export function foreignBody(graph: Uint8Array): Uint8Array {
  return rewritten(graph, {
    ...EVERY_GRAPH,
    [GRAPH.name]: dropped,
    [GRAPH.input]: dropped,
    [GRAPH.output]: dropped,
    // The exporter's documentation and metadata.
    10: dropped,
    16: dropped,
  });
}
