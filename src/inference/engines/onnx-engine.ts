import { env, InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { keepsLargeBlocks } from '../../config/child-environment.js';
import { channelsLast } from '../../models/compose/channels-last.js';
import { graphOf, type GraphSource, type Precision } from '../../models/compose/compose-stage.js';
import { probedSource } from '../../models/compose/probed-source.js';
import { readModelFile } from '../../models/files/model-file.js';
import type { StageRef } from '../../models/manifest/model-route.js';
import { shapeText, type NamedTensors, type Tensor } from '../tensor.js';
import { runsChannelsLast } from './channels-last-probe.js';
import type { Engine, Graph } from './engine.js';
import { computesHalf } from './half-probe.js';
import { runsInt8Faster } from './int8-probe.js';
import { disableOnnxTelemetry } from './onnx-telemetry.js';
import type { Placement } from './placement.js';
import { precisionOf, type PrecisionChoice } from './precision.js';

/** Runs ONNX graphs with onnxruntime. Its `run` blocks, so use it only on the device thread. */
export class OnnxEngine implements Engine {
  readonly provider: string;
  private readonly options: InferenceSession.SessionOptions;
  private readonly precision: PrecisionChoice;
  private half: Promise<boolean> | undefined;
  private int8: Promise<boolean> | undefined;
  private channelsLast: Promise<boolean> | undefined;

  constructor({ provider, index, threads, precision = 'auto' }: Placement) {
    this.precision = precision;
    this.provider = index === undefined ? provider : `${provider}:${index}`;
    this.options = {
      executionProviders: [index === undefined ? provider : { name: provider, deviceId: index }],
      intraOpNumThreads: threads === 0 ? availableParallelism() : threads,
      interOpNumThreads: 1,
      // An arena for each model would keep its peak: 0.5 GB for the built-in models.
      enableCpuMemArena: !keepsLargeBlocks(),
      // A memory pattern allocates one block per run, which fragments memory between streams: 1.8 GB more.
      enableMemPattern: provider !== 'cpu',
      graphOptimizationLevel: 'all',
      // Failures are exceptions, which the log would only repeat.
      logSeverityLevel: 4,
      // Spinning threads would take cores from codecs and the database.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    };
    // Both must be set before the first session, because they are read once per process.
    env.logLevel = 'fatal';
    disableOnnxTelemetry();
  }

  async load(stage: StageRef): Promise<Graph> {
    const precision = await precisionOf(stage, this.precision, {
      prefersInt8: () => this.prefersInt8(),
      prefersHalf: () => this.prefersHalf(),
    });
    const graph = await graphOf(stage, precision);
    const isChanged = precision === 'fp16' && (await this.prefersChannelsLast());
    if (!isChanged) return this.openProbed(stage, graph, precision);
    // The runtime may lack the operators for some attributes.
    return this.openProbed(stage, await inChannelsLast(graph), precision).catch(() =>
      this.openProbed(stage, graph, precision),
    );
  }

  /** Bytes cannot be NaN, so a render graph also returns `FINITE` if the runtime has the operators for it. */
  private async openProbed(stage: StageRef, graph: GraphSource, precision: Precision): Promise<Graph> {
    if (stage.kind !== 'render') return this.open(graph, precision);
    try {
      return await this.open(await probedSource(stage, graph), precision);
    } catch {
      return this.open(graph, precision);
    }
  }

  /** Measured on this processor: without 8-bit dot products, integers save no time. GPUs have half precision. */
  async prefersInt8(): Promise<boolean> {
    if (this.provider !== 'cpu') return false;
    this.int8 ??= runsInt8Faster((graph) => this.open(graph));
    return this.int8;
  }

  /**
   * Half precision takes half the memory and, on a GPU, about half the time. The CPU computes in single precision
   * anyway.
   */
  async prefersHalf(): Promise<boolean> {
    if (this.provider === 'cpu') return false;
    this.half ??= computesHalf((graph) => this.open(graph));
    return this.half;
  }

  /**
   * CUDA computes convolutions in half precision on [N,H,W,C]. WebGPU converts whole graphs itself, and TensorRT chooses
   * its own layouts.
   */
  async prefersChannelsLast(): Promise<boolean> {
    if (!this.isCuda) return false;
    this.channelsLast ??= runsChannelsLast((graph) => this.open(graph));
    return this.channelsLast;
  }

  private get isCuda(): boolean {
    return /^cuda(?::|$)/.test(this.provider);
  }

  /** @throws Error with the runtime's text */
  async open(graph: GraphSource, precision: Precision = 'fp32'): Promise<Graph> {
    const { isCuda } = this;
    if (graph.kind === 'file')
      return new OnnxGraph(await InferenceSession.create(graph.path, this.options), precision, isCuda);
    const { extra, graphOptimizationLevel } = this.options;
    const level = graph.isUnoptimized === true ? 'disabled' : graphOptimizationLevel!;
    const session = {
      ...(extra?.['session'] as object),
      model_external_initializers_file_folder_path: graph.folder,
    };
    return new OnnxGraph(
      await InferenceSession.create(graph.bytes, {
        ...this.options,
        graphOptimizationLevel: level,
        extra: { ...extra, session },
      }),
      precision,
      isCuda,
    );
  }
}

class OnnxGraph implements Graph {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly takesAnySize: boolean;
  readonly takesResults = true;

  constructor(
    private readonly session: InferenceSession,
    readonly precision: Precision,
    /** On CUDA, every convolution keeps the plan for the last shape, and makes a new one for another. */
    readonly keepsOneShape: boolean,
  ) {
    this.inputNames = session.inputNames;
    this.outputNames = session.outputNames;
    this.takesAnySize = hasFreeSize(session);
  }

  async run(inputs: NamedTensors, _signal?: AbortSignal, results?: NamedTensors): Promise<NamedTensors> {
    const feeds = allToOrt(inputs);
    if (results !== undefined) {
      const others = this.outputNames.filter((name) => !(name in results));
      const fetched = await this.session.run(feeds, {
        ...allToOrt(results),
        ...Object.fromEntries(others.map((name) => [name, null])),
      });
      // The other returned tensors are ignored: they are other objects over the same memory.
      return { ...results, ...allFromOrt(fetched, others) };
    }
    return allFromOrt(await this.session.run(feeds), this.outputNames);
  }

  async release(): Promise<void> {
    await this.session.release();
  }
}

/** The graph with its convolutions on [N,H,W,C]. @throws MalformedModel; UnreadableModelFile */
async function inChannelsLast(graph: GraphSource): Promise<GraphSource> {
  const [bytes, folder] =
    graph.kind === 'file'
      ? [await readModelFile(graph.path), dirname(graph.path)]
      : [graph.bytes, graph.folder];
  return { kind: 'bytes', bytes: channelsLast(bytes).model, folder };
}

/** Whether height and width of the input `image`, [N,H,W,C], are symbolic names instead of numbers. */
function hasFreeSize({ inputMetadata }: InferenceSession): boolean {
  const image = inputMetadata.find(({ name }) => name === 'image');
  return image?.isTensor === true && image.shape.slice(1, 3).every((axis) => typeof axis === 'string');
}

function allToOrt(tensors: NamedTensors): Record<string, OrtTensor> {
  return Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, toOrt(tensor)]));
}

function toOrt(tensor: Tensor): OrtTensor {
  return tensor.type === 'uint8'
    ? new OrtTensor('uint8', tensor.data, tensor.dims)
    : new OrtTensor('float32', tensor.data, tensor.dims);
}

function allFromOrt(fetched: InferenceSession.ReturnType, names: readonly string[]): NamedTensors {
  return Object.fromEntries(names.map((name) => [name, fromOrt(name, fetched[name]!)]));
}

function fromOrt(name: string, value: OrtTensor): Tensor {
  const { type, dims, data } = value;
  if (type === 'uint8') return { type, dims, data: data as Uint8Array<ArrayBuffer> };
  if (type === 'float32') return { type, dims, data: data as Float32Array<ArrayBuffer> };
  throw new TypeError(`output ${name} is ${shapeText(type, dims)}; outputs are uint8 or float32`);
}
