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

/** What a foreign graph's values are called in a composed one, so that they cannot meet ours. */
export const FOREIGN = 'model/';

/** The new name of a foreign value; the empty name, an input left out, stays. */
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
  // Shapes noted by the exporter; for another batch or size than its own they would be wrong.
  [GRAPH.valueInfo]: dropped,
};

/** The bodies of If, Loop and Scan: their inputs and outputs keep their types. */
function renamedSubgraph(payload: Uint8Array): Uint8Array {
  return rewritten(payload, {
    ...EVERY_GRAPH,
    [GRAPH.input]: renamedValueInfo,
    [GRAPH.output]: renamedValueInfo,
  });
}

/**
 * The nodes and weights of a foreign graph under new names, as fields to be joined into another graph. Its name,
 * inputs and outputs are left out: other nodes take their place.
 */
export function foreignBody(graph: Uint8Array): Uint8Array {
  return rewritten(graph, {
    ...EVERY_GRAPH,
    [GRAPH.name]: dropped,
    [GRAPH.input]: dropped,
    [GRAPH.output]: dropped,
    // Documentation and metadata of the exporter.
    10: dropped,
    16: dropped,
  });
}
