import type { EngineName } from '../../models/manifest/manifest.js';
import type { StageRef } from '../../models/manifest/model-route.js';
import type { Engine, Graph } from './engine.js';
import { OnnxEngine } from './onnx-engine.js';
import type { Placement } from './placement.js';
import type { TensorflowEngine } from './tensorflow-engine.js';

/** All engines of one device; each stage is loaded by the engine that its manifest names. */
export class Engines implements Engine {
  private readonly onnx: OnnxEngine;
  private tensorflow: Promise<TensorflowEngine> | undefined;
  private readonly used = new Map<EngineName, string>();

  constructor(private readonly placement: Placement) {
    this.onnx = new OnnxEngine(placement);
  }

  /** The provider of ONNX Runtime, which runs most stages. */
  get provider(): string {
    return this.onnx.provider;
  }

  /** The provider of each engine's stages; only engines that have loaded one. */
  get providers(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.used);
  }

  async load(stage: StageRef): Promise<Graph> {
    const { id, engine: name } = stage;
    if (name === 'triton') throw new Error(`the stage ${id} runs on a server, not on a device`);
    const engine = await this.engineOf(name);
    const graph = await engine.load(stage);
    this.used.set(name, engine.provider);
    return graph;
  }

  private engineOf(engine: EngineName): Promise<Engine> | Engine {
    if (engine === 'onnx') return this.onnx;
    // Loaded on demand: importing the library takes a third of a second.
    this.tensorflow ??= startTensorflow(this.placement);
    return this.tensorflow;
  }
}

/**
 * Loads TensorFlow.js, an optional package, and starts it on a device.
 * @throws Error with the package to install when it is missing
 */
export async function startTensorflow(placement: Placement): Promise<TensorflowEngine> {
  const { TensorflowEngine } = await import('./tensorflow-engine.js').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      'TensorFlow.js is not installed. Install @tensorflow/tfjs-core, -converter, -layers and -backend-wasm to run models of this engine.',
      { cause: error },
    );
  });
  return TensorflowEngine.start(placement);
}
