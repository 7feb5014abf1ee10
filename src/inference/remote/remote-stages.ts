import { setTimeout as sleep } from 'node:timers/promises';
import { allAborted } from '../all-aborted.js';
import type {
  DeviceItem,
  DeviceOutcome,
  DeviceStage,
  CachedAnalysis,
  RunReport,
} from '../device/device-port.js';
import { ServerUnavailable } from '../engines/triton/server-errors.js';
import { TritonEngine, type TritonOptions } from '../engines/triton/triton-engine.js';
import type { NamedTensors } from '../tensor.js';
import { RemoteStage } from './remote-stage.js';

/** How often an unavailable server is checked, milliseconds. */
const PROBE_MS = 1_000;

export interface RemoteStagesOptions extends TritonOptions {
  /** Upper bound for every stage's `maxBatch`. */
  readonly largestBatch: number;
  readonly onRun: (report: RunReport) => void;
  /** Called with the output of each remote analysis; copy it, because it is cached here. */
  readonly onCached: (stageId: string, cached: CachedAnalysis) => unknown;
}

/**
 * The stages of a catalog that inference servers run. A server may be unavailable at any time, even when this process
 * starts. Its stages are then `away` and should get no jobs until the server is ready again, with the models of the
 * manifests.
 */
export class RemoteStages {
  private readonly engine: TritonEngine;
  private readonly analyses = new Map<number, NamedTensors>();
  private readonly stages: ReadonlyMap<string, RemoteStage>;
  private readonly unready = new Map<string, string>();
  private readonly closing = new AbortController();

  private constructor(
    stages: readonly DeviceStage[],
    private readonly options: RemoteStagesOptions,
  ) {
    this.engine = new TritonEngine(options);
    const { largestBatch, onRun, onCached } = options;
    const { analyses } = this;
    this.stages = new Map(
      stages.map((stage) => {
        const { id } = stage.ref;
        const cache = (cached: CachedAnalysis): unknown => onCached(id, cached);
        const shared = { largestBatch, onRun, onCached: cache, analyses };
        return [id, new RemoteStage(stage, this.engine, shared)] as const;
      }),
    );
  }

  /**
   * Compares every stage with its server; stages of an unavailable server are checked later.
   * @throws UnfitModel with the stage that differs from its manifest or is missing on its server
   */
  static async start(stages: readonly DeviceStage[], options: RemoteStagesOptions): Promise<RemoteStages> {
    const remote = new RemoteStages(stages, options);
    const loads = await Promise.allSettled([...remote.stages.values()].map((stage) => remote.load(stage)));
    const failed = loads.find((load) => load.status === 'rejected');
    if (failed === undefined) return remote;
    await remote.close();
    throw failed.reason;
  }

  has(stageId: string): boolean {
    return this.stages.has(stageId);
  }

  /** Stages whose server accepts no requests now, by id, with the reason. */
  get away(): ReadonlyMap<string, string> {
    return this.unready;
  }

  /** Upper bound for every stage's `maxBatch`. */
  get largestBatch(): number {
    return this.options.largestBatch;
  }

  /** Streams for the batcher, which sends two batches for each stream. */
  get streams(): number {
    return Math.max(1, Math.floor(this.options.concurrency / 2));
  }

  /**
   * Runs items of one stage in one request.
   * @param signals of the items' jobs; the request ends when all of them abort
   * @returns outcomes in the order of the items
   * @throws ServerUnavailable, after which the stage is `away`; the signal's reason
   */
  async run(
    stageId: string,
    items: readonly DeviceItem[],
    signals: readonly (AbortSignal | undefined)[],
  ): Promise<readonly DeviceOutcome[]> {
    const stage = this.stages.get(stageId)!;
    const { signal, release } = allAborted(signals);
    try {
      return await stage.run(items, signal);
    } catch (error) {
      if (error instanceof ServerUnavailable) this.noteAway(stage, error);
      throw error;
    } finally {
      release();
    }
  }

  /** Frees the cached outputs of an analysis; does nothing when there are none. */
  forget(analysis: number): void {
    this.analyses.delete(analysis);
  }

  /** Aborts all requests. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.engine.close();
  }

  private async load(stage: RemoteStage): Promise<void> {
    try {
      await stage.load();
    } catch (error) {
      if (!(error instanceof ServerUnavailable)) throw error;
      this.noteAway(stage, error);
    }
  }

  private noteAway(stage: RemoteStage, { message }: Error): void {
    const isKnown = this.unready.has(stage.id);
    this.unready.set(stage.id, message);
    if (isKnown) return;
    // The server may come back with another model.
    stage.compareAgain();
    void this.probe(stage);
  }

  /** Probes the server until it is ready with the stage's model. Does not keep a closing worker alive. */
  private async probe(stage: RemoteStage): Promise<void> {
    const { signal } = this.closing;
    try {
      do await sleep(PROBE_MS, undefined, { ref: false, signal });
      while (!(await this.isBack(stage)));
      this.unready.delete(stage.id);
    } catch {
      // The stages were closed.
    }
  }

  private async isBack(stage: RemoteStage): Promise<boolean> {
    if (!(await this.engine.isReady(stage.ref))) return false;
    try {
      await stage.load();
      return true;
    } catch (error) {
      this.unready.set(stage.id, (error as Error).message);
      return false;
    }
  }
}
