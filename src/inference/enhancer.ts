import type { Catalog } from '../models/repository/catalog.js';
import type { ModelRoute, StageRef } from '../models/manifest/model-route.js';
import type { PixelSink, PixelSource, RawImage } from '../kernel/pixels.js';
import { analysisPixels, requireSubject } from './analysis-input.js';
import { AnalysisResult } from './analysis-result.js';
import { Batcher } from './batcher.js';
import type { DeviceLostError } from './device/device.js';
import type { RunReport } from './device/device-port.js';
import { DeviceStreams } from './device/threads/device-streams.js';
import { NO_SERVER, type TritonOptions } from './engines/triton/triton-engine.js';
import type { InferenceDevice } from './engines/execution-provider.js';
import type { InferenceObserver } from './inference-observer.js';
import { InMemorySink, InMemorySource } from './in-memory-pixels.js';
import { RemoteStages } from './remote/remote-stages.js';
import { splitStages } from './remote/split-stages.js';
import { RenderJob, renderedShape } from './render-job.js';
import { uint8Tensor } from './tensor.js';

export interface EnhancerOptions {
  readonly catalog: Pick<Catalog, 'routes'>;
  readonly device: InferenceDevice;
  /** Number of the accelerator among those of its kind; undefined = the runtime's default. */
  readonly index?: number | undefined;
  /** Threads that compute on a CPU; 0 = one for each core. */
  readonly threads: number;
  /**
   * Most runs at the same time on a CPU, each with its part of the threads and models of its own; a GPU has
   * one. Default 1. Those after the first begin with `warm`.
   */
  readonly streams?: number;
  /**
   * Upper bound over every stage's `maxBatch`. Default (null): none on a GPU, 1 on the CPU, where one item
   * fills the cores already and a larger batch only takes more memory.
   */
  readonly largestBatch?: number | null;
  /** Where the stages run that the manifests leave to a server. Default: only where a manifest says. */
  readonly triton?: TritonOptions;
  readonly observer?: InferenceObserver;
  /** The device thread ended by itself: every job in hand fails, and the process should be replaced. */
  readonly onDeath: (error: DeviceLostError) => void;
}

export interface RenderOptions {
  /** Stops the render at the next tile; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Whose job it is: those of one owner end one after the other, those of several share the device. */
  readonly owner?: string;
  /** Called after each tile with the part that is done, rising to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Pixels in, pixels out: runs the routes of a catalog on one accelerator. Jobs may call it at the same time;
 * their work is batched and interleaved. It needs no operation by name and never blocks the event loop for
 * longer than it takes to copy one tile.
 */
export class Enhancer {
  private readonly batcher: Batcher;
  private readonly remoteBatcher: Batcher;
  private nextAnalysis = 1;
  /** Frees maps of an analysis that was dropped without a render, for example when a job ends in between. */
  private readonly dropped = new FinalizationRegistry<number>((analysis) => this.forget(analysis));

  private constructor(
    private readonly host: DeviceStreams,
    private readonly remote: RemoteStages,
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
   * Loads every stage; on a GPU warms them too, on a CPU that is left for `warm`.
   * @throws Error that says which stage does not load, or that the chosen device does not; `auto` ends at cpu
   */
  static async start(options: EnhancerOptions): Promise<Enhancer> {
    const { catalog, device, index, threads, streams = 1, largestBatch = null, observer, onDeath } = options;
    const { local, remote: stages, mixed } = splitStages(catalog);
    const onRun = (run: RunReport): unknown => observer?.onRun(run);
    const host = await DeviceStreams.start(
      { device, index, threads, streams, largestBatch, stages: local },
      { onDeath, onRun },
    );
    try {
      const remote = await RemoteStages.start(stages, {
        ...(options.triton ?? NO_SERVER),
        largestBatch: largestBatch ?? Infinity,
        onRun,
        onCached: (stageId, cached) => mixed.has(stageId) && host.cache(structuredClone(cached)),
      });
      return new Enhancer(host, remote, observer);
    } catch (error) {
      await host.close();
      throw error;
    }
  }

  /** Stages whose server takes no requests now, by id, each with the reason. Their jobs should wait. */
  get away(): ReadonlyMap<string, string> {
    return this.remote.away;
  }

  /** The execution provider in use, for example `cpu`; belongs in the job's record. */
  get device(): string {
    return this.host.provider;
  }

  /** What runs the stages of a route, for example `cpu`, `cuda:0` or `tensorflow-wasm`; stands in the job. */
  deviceOf({ render }: Pick<ModelRoute, 'render'>): string {
    if (render.engine === 'triton') return render.engine;
    return this.host.providers[render.engine] ?? this.host.provider;
  }

  /** Why `auto` did not take a better provider, for the log. */
  get passedOver(): readonly string[] {
    return this.host.passedOver;
  }

  /**
   * Does, in idle time, what `start` has left for later: further streams, and warming. Call it once jobs are
   * taken.
   * @returns a sentence for each stage that does not run, whose jobs will fail, and for a stream that does
   * not start; others go on
   */
  warm(): Promise<readonly string[]> {
    return this.host.warm();
  }

  /**
   * Analyses a whole image for a route that has an analyse stage.
   * @param image the image resized to exactly `route.analyse.size` squared, RGB
   * @throws AppError `no_subject_found`; StageError; the signal's reason
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
   * Renders an image at full resolution, from where its pixels are to where the result goes. Memory for a few
   * rows of tiles is all it takes, whatever the size of the image.
   * @param target of the shape that `renderedShape` says
   * @param analysis what `analyse` gave for this route, null when it has no analyse stage; used up by this
   * call
   * @throws StageError; the signal's reason; what `source` and `target` throw
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
      });
      await this.withdrawable(signal, () => job.run(signal, onProgress));
    } finally {
      analysis?.release();
    }
  }

  /**
   * As `renderTo`, for an image that is in memory and a result that may be.
   * @param image RGB or RGBA; not changed, and free again when the promise settles
   * @returns an image `route.scale` times as wide and high, RGBA if `route.producesAlpha`, else channels as
   * given
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

  /** Ends the device thread after the batches it already has; what still waits is refused. */
  async close(): Promise<void> {
    for (const batcher of [this.batcher, this.remoteBatcher])
      batcher.close(new Error('The enhancer is closed.'));
    await Promise.all([this.host.close(), this.remote.close()]);
  }

  private batcherOf({ remote }: StageRef): Batcher {
    return remote === undefined ? this.batcher : this.remoteBatcher;
  }

  private forget(analysis: number): void {
    this.host.forget(analysis);
    this.remote.forget(analysis);
  }

  /** While `work` runs, an abort takes its waiting items out of the batcher at once. */
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
