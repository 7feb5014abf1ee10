import { io } from '@tensorflow/tfjs-core';
import type { StageRef } from '../../catalog/model-route.js';
import type { Engine, Graph } from './engine.js';
import type { Placement } from './placement.js';
import { TensorflowGraph, type TensorflowModel } from './tensorflow-graph.js';
import { readModelFiles } from './tensorflow-model-files.js';
import { startTensorflow } from './tensorflow-runtime.js';

/** Runs TensorFlow.js graph and layers models. For the device thread only: a run blocks its thread. */
export class TensorflowEngine implements Engine {
  private constructor(readonly provider: string) {}

  /** @throws Error that says why no backend runs */
  static async start(placement: Placement): Promise<TensorflowEngine> {
    const { provider } = await startTensorflow(placement);
    return new TensorflowEngine(provider);
  }

  async load(stage: StageRef): Promise<Graph> {
    return new TensorflowGraph(await loadModel(stage), stage);
  }
}

async function loadModel(stage: StageRef): Promise<TensorflowModel> {
  const { format, artifacts } = await readModelFiles(stage);
  if (format === 'graph-model') {
    const { loadGraphModel } = await import('@tensorflow/tfjs-converter');
    const model = await loadGraphModel(io.fromMemory(artifacts));
    return {
      inputNames: model.inputs.map(({ name }) => bare(name)),
      outputNames: model.outputs.map(({ name }) => bare(name)),
      predict: (inputs) => model.execute(inputs, model.outputNodes),
      dispose: () => model.dispose(),
    };
  }
  const { loadLayersModel } = await import('@tensorflow/tfjs-layers');
  const model = await loadLayersModel(io.fromMemory(artifacts));
  return {
    inputNames: model.inputNames,
    outputNames: model.outputNames,
    predict: (inputs) => model.predictOnBatch(model.inputNames.map((name) => inputs[name]!)),
    dispose: () => void model.dispose(),
  };
}

/** Graph models name tensors, `image:0`; the manifest names what they are. */
function bare(name: string): string {
  return name.replace(/:\d+$/, '');
}
