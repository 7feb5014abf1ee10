import { io, type NamedTensorMap } from '@tensorflow/tfjs-core';
import type { StageRef } from '../../models/manifest/model-route.js';
import type { Engine, Graph } from './engine.js';
import type { Placement } from './placement.js';
import { TensorflowGraph, type TensorflowModel } from './tensorflow-graph.js';
import { readModelFiles } from './tensorflow-model-files.js';
import { startTensorflow } from './tensorflow-runtime.js';

/** Runs TensorFlow.js graph and layers models. A run blocks its thread, so use it only on the device thread. */
export class TensorflowEngine implements Engine {
  private constructor(readonly provider: string) {}

  /** @throws Error with the reason why no backend runs */
  static async start(placement: Placement): Promise<TensorflowEngine> {
    const { provider } = await startTensorflow(placement);
    return new TensorflowEngine(provider);
  }

  async load(stage: StageRef): Promise<Graph> {
    return new TensorflowGraph(await loadModel(stage), stage, stage.kind === 'render');
  }

  /**
   * A graph that also returns `FINITE`, even if it returns maps, for the check of a version.
   * @throws Error also when weights are NaN: some backends turn them into numbers when a model clips its result
   */
  async loadProbed(stage: StageRef): Promise<Graph> {
    const model = await loadModel(stage);
    await refuseNaN(model.weights);
    return new TensorflowGraph(model, stage, true);
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
      inputDims: model.inputs.map(({ shape }) => shape),
      weights: Object.fromEntries(Object.entries(model.weights).map(([name, parts]) => [name, parts[0]!])),
      predict: (inputs) => model.execute(inputs, model.outputNodes),
      dispose: () => model.dispose(),
    };
  }
  const { loadLayersModel, Sequential } = await import('@tensorflow/tfjs-layers');
  const model = await loadLayersModel(io.fromMemory(artifacts));
  // A Sequential model knows the names of its inputs and outputs only after `build`.
  if (model instanceof Sequential) model.build();
  return {
    inputNames: model.inputNames,
    outputNames: model.outputNames,
    inputDims: model.inputs.map(({ shape }) => shape),
    weights: Object.fromEntries(model.weights.map((weight) => [weight.name, weight.read()])),
    predict: (inputs) => model.predictOnBatch(model.inputNames.map((name) => inputs[name]!)),
    dispose: () => void model.dispose(),
  };
}

async function refuseNaN(weights: NamedTensorMap): Promise<void> {
  for (const [name, weight] of Object.entries(weights)) {
    const values = await weight.data();
    if (values.some(Number.isNaN)) throw new Error(`its weights ${name} are not finite (NaN)`);
  }
}

/** Graph models name tensors like `image:0`; the manifest uses the plain names. */
function bare(name: string): string {
  return name.replace(/:\d+$/, '');
}
