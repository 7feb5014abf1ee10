import { createHash } from 'node:crypto';
import { readModelFile } from '../files/model-file.js';
import { type GraphSource, graphOf, type Precision } from '../compose/compose-stage.js';
import type { StageRef } from '../manifest/model-route.js';
import { probedSource } from '../compose/probed-source.js';
import type { Graph } from '../../inference/engines/engine.js';
import { OnnxEngine } from '../../inference/engines/onnx-engine.js';
import type { Placement } from '../../inference/engines/placement.js';
import { NO_SERVER, TritonEngine, type TritonOptions } from '../../inference/engines/triton/triton-engine.js';
import { startTensorflow } from '../../inference/engines/engines.js';
import { unwatched } from './runtime-text.js';

/** A stage in the form in which it will serve, loaded so that it also returns `FINITE`. */
export interface ProbedGraph {
  readonly graph: Graph;
  /** Hash of the graph without the probe. */
  readonly graphSha256: string;
  readonly composed: boolean;
}

/**
 * Loads a stage for the dry runs of its check.
 * @throws the runtime's error when it does not load; InsufficientResources when only the probe needs too much memory
 */
export async function openProbed(
  stage: StageRef,
  precision: Precision,
  placement: Placement,
  triton: TritonOptions = NO_SERVER,
): Promise<ProbedGraph> {
  if (stage.remote !== undefined) return openRemote(stage, triton);
  if (stage.engine !== 'onnx') {
    const graphSha256 = sha256(await readModelFile(stage.path));
    const engine = await startTensorflow(placement);
    return { graph: await engine.loadProbed(stage), graphSha256, composed: false };
  }
  const source = await graphOf(stage, precision);
  const bytes = source.kind === 'bytes' ? source.bytes : await readModelFile(source.path);
  const graph = await opened(stage, source, new OnnxEngine(placement));
  return { graph, graphSha256: sha256(bytes), composed: source.kind === 'bytes' };
}

/** Values on a server cannot be probed for non-finite numbers. */
async function openRemote(stage: StageRef, triton: TritonOptions): Promise<ProbedGraph> {
  const engine = new TritonEngine(triton);
  try {
    const graph = await engine.load(stage);
    const { model, version } = stage.remote!;
    const graphSha256 = sha256(Buffer.from(`${model}/${version}`));
    return {
      graph: {
        inputNames: graph.inputNames,
        outputNames: graph.outputNames,
        run: (inputs) => graph.run(inputs),
        release: () => engine.close(),
      },
      graphSha256,
      composed: false,
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function opened(stage: StageRef, source: GraphSource, engine: OnnxEngine): Promise<Graph> {
  try {
    return await engine.open(await probedSource(stage, source));
  } catch (error) {
    // If the graph does not load without the probe either, its own error is more specific.
    await (await engine.open(source)).release();
    throw unwatched(error, stage);
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
