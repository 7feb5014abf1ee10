import { dirname } from 'node:path';
import { readModelFile } from '../files/model-file.js';
import type { StageRef } from '../manifest/model-route.js';
import { foreignName } from '../onnx/prefix-names.js';
import type { GraphSource } from './compose-stage.js';
import { withFiniteProbe } from './finite-probe.js';

/**
 * The graph of a stage with the output `FINITE`. For a third-party graph, its own output is watched, too, because the
 * nodes around it may hide what is not finite.
 * @throws MalformedModel; UnreadableModelFile
 */
export async function probedSource(
  { adapter }: StageRef,
  source: GraphSource,
): Promise<GraphSource & { readonly kind: 'bytes' }> {
  const [bytes, folder] =
    source.kind === 'bytes'
      ? [source.bytes, source.folder]
      : [await readModelFile(source.path), dirname(source.path)];
  const watched = adapter === undefined ? [] : [foreignName(adapter.output.name)];
  return { kind: 'bytes', bytes: withFiniteProbe(bytes, watched), folder };
}
