import type { Catalog } from '../models/repository/catalog.js';
import type { ModelRoute, StageRef } from '../models/manifest/model-route.js';
import type { PixelShape, PixelSink, PixelSource, RawImage } from '../kernel/pixels.js';
import { analysisPixels, requireSubject } from './analysis-input.js';
import { AnalysisResult } from './analysis-result.js';
import { Batcher } from './batcher.js';
import type { DeviceLostError } from './device-fault.js';
import type { RunReport } from './device/device-port.js';
import { DeviceStreams } from './device/threads/device-streams.js';
import { NO_SERVER, type TritonOptions } from './engines/triton/triton-engine.js';
import type { InferenceDevice } from './engines/execution-provider.js';
import { lowestPrecision, type PrecisionChoice, type PrecisionName } from './engines/precision.js';
import type { InferenceObserver } from './inference-observer.js';
import { InMemorySink, InMemorySource } from './in-memory-pixels.js';
import { RemoteStages } from './remote/remote-stages.js';
import { splitStages } from './remote/split-stages.js';
import { RenderJob, renderedShape } from './render-job.js';
import { fittingTile } from './tiling/fitting-tile.js';
import { uint8Tensor } from './tensor.js';

export interface EnhancerOptions {
  readonly catalog: Pick<Catalog, 'routes'>;
  readonly device: InferenceDevice;
  /** Index of the accelerator among those of its kind; undefined: the runtime's default. */
  readonly index?: number | undefined;
  /** Whether stages of engines without the device may use another one. Default: only with `auto`. */
  readonly isGuess?: boolean | undefined;
  /** Computing threads on a CPU; 0: one for each core. */
  readonly threads: number;
  /**
   * Maximum parallel runs (streams) on a CPU or on CUDA. Each stream has its own models and, on a CPU, its share of the
   * threads. All streams but the first start with `warm`. Default 1.
   */
  readonly streams?: number;
  /**
   * Upper bound for every stage's `maxBatch`. Default (null): none on a GPU, 1 on the CPU, where one item uses all
   * cores and a larger batch only takes more memory.
   */
  readonly largestBatch?: number | null;
  /** Whether a CPU may use smaller tiles than a manifest names, which fit an image better. Default: true. */
  readonly fitsTiles?: boolean;
  /** Default: `auto`. */
  readonly precision?: PrecisionChoice;
  /** How long one run may take on the device before it counts as lost. Default: no limit. */
  readonly runTimeoutMs?: number;
  /** Default server of remote stages. Without it, only stages whose manifest names a server are remote. */
  readonly triton?: TritonOptions;
  readonly observer?: InferenceObserver;
  /** A device thread ended or got stuck, or its device is broken. The process should be replaced. */
  readonly onDeath: (error: DeviceLostError) => void;
}

export interface RenderOptions {
  /** Stops the render at the next tile, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The owner of the job. Jobs of one owner finish one after the other; several owners share the device. */
  readonly owner?: string;
  /** Called after each tile with the completed share, rising to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Pixels in, pixels out: runs the routes of a catalog on one accelerator. Concurrent jobs are batched and interleaved.
 * It treats all operations alike and never blocks the event loop for longer than it takes to copy one tile.
 */
export class Enhancer {
  private readonly batcher: Batcher;
  private readonly remoteBatcher: Batcher;
  private nextAnalysis = 1;
  /** Frees the maps of an analysis that is dropped without a render, for example when its job ends. */
  private readonly dropped = new FinalizationRegistry<number>((analysis) => this.forget(analysis));

  private constructor(
    private readonly host: DeviceStreams,
    private readonly remote: RemoteStages,
    private readonly fitsTiles: boolean,
    observer?: InferenceObserver,
  ) {
    this.remoteBatcher = new Batcher((...batch) => remote.run(...batch), {
      largestBatch: remote.largestBatch,
      streams: () => remote.streams,
      observer,
    });
    this.batcher = new Batcher((stageId, items) => host.run(stageId, items), {
      largestBatch: host.largestBatch,
      streams: () => host.count,
      observer,
    });
  }

  /**
   * Loads every stage. On a GPU it also warms them; on a CPU that is left to `warm`.
   * @throws Error with the stage that does not load, or when the chosen device does not; `auto` falls back to cpu
   */
  static async start(options: EnhancerOptions): Promise<Enhancer> {
    const { catalog, device, index, threads, streams = 1, largestBatch = null, observer, onDeath } = options;
    const { precision, isGuess, runTimeoutMs, fitsTiles = true } = options;
    const { local, remote: stages, mixed } = splitStages(catalog);
    const onRun = (run: RunReport): unknown => observer?.onRun(run);
    const host = await DeviceStreams.start(
      { device, index, isGuess, threads, streams, largestBatch, precision, runTimeoutMs, stages: local },
      { onDeath, onRun, onLowered: (stage) => observer?.onLowered?.(stage) },
    );
    try {
      const remote = await RemoteStages.start(stages, {
        ...(options.triton ?? NO_SERVER),
        largestBatch: largestBatch ?? Infinity,
        onRun,
        onCached: (stageId, cached) => mixed.has(stageId) && host.cache(structuredClone(cached)),
      });
      return new Enhancer(host, remote, fitsTiles, observer);
    } catch (error) {
      await host.close();
      throw error;
    }
  }

  /** Stages whose server accepts no requests now, by id, with the reason. Their jobs should wait. */
  get away(): ReadonlyMap<string, string> {
    return this.remote.away;
  }

  /** The execution provider in use, for example `cpu`; recorded in jobs. */
  get device(): string {
    return this.host.provider;
  }

  /** The provider of a route's stages, for example `cpu`, `cuda:0`, or `tensorflow-wasm`; recorded in jobs. */
  deviceOf({ render }: Pick<ModelRoute, 'render'>): string {
    if (render.engine === 'triton') return render.engine;
    return this.host.providers[render.engine] ?? this.host.provider;
  }

  /** The lowest precision of any stage on this device. */
  get precision(): PrecisionName {
    return lowestPrecision(Object.values(this.host.precisions));
  }

  /** The lowest precision among the stages of these routes; recorded in jobs. Null if a server runs all of them. */
  precisionOf(routes: readonly Pick<ModelRoute, 'analyse' | 'render'>[]): PrecisionName | null {
    const stages = routes.flatMap(({ analyse, render }) => [analyse, render]);
    const local = stages.flatMap((stage) => this.host.precisions[stage?.id ?? ''] ?? []);
    return local.length === 0 ? null : lowestPrecision(local);
  }

  /** Why `auto` did not choose a better provider, for the log. */
  get passedOver(): readonly string[] {
    return this.host.passedOver;
  }

  /**
   * Starts the remaining streams and warms stages in idle time. Call it once jobs are being taken.
   * @returns a message for each stage that does not run, whose jobs will fail, and for each stream that does not start;
   * the others continue
   */
  warm(): Promise<readonly string[]> {
    return this.host.warm();
  }

  /**
   * Analyzes a whole image for a route that has an analyse stage.
   * @param image the image resized to exactly `route.analyse.size` squared, RGB
   * @throws AppError `no_subject_found`; StageError; DeviceLostError; the signal's reason
   */
  async analyse(route: ModelRoute, image: RawImage, signal?: AbortSignal): Promise<AnalysisResult> {
    const stage = route.analyse;
    if (stage === null) throw new Error(`${route.operation} at level ${route.level} has no analyse stage.`);
    const pixels = analysisPixels(stage, image);
    const analysis = this.nextAnalysis++;
    const item = { tensors: { image: uint8Tensor([1, stage.size, stage.size, 3], pixels) }, analysis };
    const result = new AnalysisResult(stage.id, analysis, (id) => this.forget(id));
    try {
      const revealed = await this.withdrawable(signal, () =>
        this.batcherOf(stage).submit(stage, item, { signal }),
      );
      signal?.throwIfAborted();
      requireSubject(stage, revealed);
    } catch (error) {
      result.release();
      throw error;
    }
    this.dropped.register(result, analysis);
    return result;
  }

  /**
   * Renders an image at full resolution from a pixel source to a pixel target. Needs memory for only a few rows of
   * tiles, regardless of the size of the image.
   * @param target has the shape that `renderedShape` returns
   * @param analysis the result of `analyse` for this route, null when the route has no analyse stage; consumed by this
   * call
   * @throws StageError; DeviceLostError; the signal's reason; errors of `source` and `target`
   */
  async renderTo(
    route: ModelRoute,
    { source, target }: { readonly source: PixelSource; readonly target: PixelSink },
    analysis: AnalysisResult | null,
    { signal, owner, onProgress = () => undefined }: RenderOptions = {},
  ): Promise<void> {
    try {
      if (analysis?.stageId !== route.analyse?.id) {
        throw new Error(`${route.render.id} needs an analysis by ${route.analyse?.id ?? 'nothing'}.`);
      }
      signal?.throwIfAborted();
      const kept = analysis?.claim() ?? null;
      const job = new RenderJob(this.batcherOf(route.render), {
        route,
        source,
        sink: target,
        analysis: kept,
        owner,
        tile: this.tileFor(route, source),
      });
      await this.withdrawable(signal, () => job.run(signal, onProgress));
    } finally {
      analysis?.release();
    }
  }

  /**
   * Like `renderTo`, for an image and a result in memory.
   * @param image RGB or RGBA; not changed, and no longer used when the promise settles
   * @returns an image `route.scale` times as wide and high, RGBA if `route.producesAlpha`, otherwise with the channels
   * of the input
   */
  async render(
    route: ModelRoute,
    image: RawImage,
    analysis: AnalysisResult | null,
    options: RenderOptions = {},
  ): Promise<RawImage> {
    const target = new InMemorySink(renderedShape(route, image));
    await this.renderTo(route, { source: new InMemorySource(image), target }, analysis, options);
    return target.image;
  }

  /** Ends the device thread after its pending batches; waiting items are rejected. */
  async close(): Promise<void> {
    for (const batcher of [this.batcher, this.remoteBatcher])
      batcher.close(new Error('The enhancer is closed.'));
    await Promise.all([this.host.close(), this.remote.close()]);
  }

  private batcherOf({ remote }: StageRef): Batcher {
    return remote === undefined ? this.batcher : this.remoteBatcher;
  }

  /** A GPU is tuned for one tile size. A CPU computes any size. */
  private tileFor({ render }: ModelRoute, source: PixelShape): number {
    const isFree = this.fitsTiles && this.host.resizable.includes(render.id);
    return isFree ? fittingTile(source, render) : render.tile;
  }

  private forget(analysis: number): void {
    this.host.forget(analysis);
    this.remote.forget(analysis);
  }

  /** While `work` runs, an abort removes its waiting items from the batcher immediately. */
  private async withdrawable<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (signal === undefined) return work();
    const withdraw = (): void => {
      this.batcher.withdraw(signal);
      this.remoteBatcher.withdraw(signal);
    };
    signal.addEventListener('abort', withdraw);
    try {
      return await work();
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  }
}
