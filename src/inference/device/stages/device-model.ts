import type { Precision } from '../../../models/compose/compose-stage.js';
import type { StageRef } from '../../../models/manifest/model-route.js';
import type { Engine } from '../../engines/engine.js';
import type { NamedTensors } from '../../tensor.js';
import type {
  DeviceItem,
  DeviceOutcome,
  DeviceStage,
  CachedAnalysis,
  LeftOutStage,
  LoweredStage,
  RunReport,
} from '../device-port.js';
import { nonFiniteOutput } from './finite-maps.js';
import { LoadedStage } from './loaded-stage.js';
import { isOutOfMemory } from './out-of-memory.js';
import type { ReusableBuffers } from './reusable-buffers.js';
import { skippedTile } from './skipped-tile.js';
import { StageRunner } from './stage-runner.js';
import { errorText } from '../../../kernel/errors/error-text.js';

export interface DeviceModelOptions {
  /** Upper bound for every stage's `maxBatch`. */
  readonly largestBatch?: number;
  /** Skips stages that do not load, unless memory is exhausted or none remains. */
  readonly isPartial?: boolean | undefined;
  /** Called for every run except warm-ups. */
  readonly onRun?: (report: RunReport) => void;
  /** Where outputs of analyses are cached, if models share them. */
  readonly analyses?: Map<number, NamedTensors> | undefined;
  /** Called with the output of each analysis; copy it, because it is cached here. */
  readonly onCached?: (cached: CachedAnalysis) => unknown;
  /** For the images of batches, which then share a buffer. Return it after use. */
  readonly buffers?: ReusableBuffers;
}

/** Everything loaded on one device: the stages, and the outputs of analyses until their render. */
export class DeviceModel {
  private constructor(
    readonly provider: string,
    private readonly runners: ReadonlyMap<string, StageRunner>,
    private readonly onCached: (cached: CachedAnalysis) => unknown = () => undefined,
    /** Stages that do not load; see `isPartial`. */
    readonly leftOut: readonly LeftOutStage[] = [],
    private readonly analyses = new Map<number, NamedTensors>(),
  ) {}

  /**
   * Loads every stage without warming it.
   * @throws Error with the stage that does not load or does not match its manifest
   */
  static async load(
    engine: Engine,
    stages: readonly DeviceStage[],
    { largestBatch, isPartial = false, onRun, onCached, analyses, buffers }: DeviceModelOptions = {},
  ): Promise<DeviceModel> {
    const runners = new Map<string, StageRunner>();
    const leftOut: LeftOutStage[] = [];
    for (const stage of stages) {
      try {
        const loaded = await LoadedStage.load(engine, stage, largestBatch, buffers);
        runners.set(stage.ref.id, new StageRunner(loaded, onRun));
      } catch (error) {
        const cause = refusal(stage.ref, engine.provider, error);
        leftOut.push({ stageId: stage.ref.id, message: cause.message });
        if (isPartial && !isOutOfMemory(error) && leftOut.length < stages.length) continue;
        await new DeviceModel(engine.provider, runners).release();
        throw cause;
      }
    }
    return new DeviceModel(engine.provider, runners, onCached, leftOut, analyses);
  }

  get stageIds(): readonly string[] {
    return [...this.runners.keys()];
  }

  /** The precision of each stage, by id. */
  get precisions(): Readonly<Record<string, Precision>> {
    return Object.fromEntries([...this.runners].map(([id, { stage }]) => [id, stage.precision]));
  }

  get lowered(): readonly LoweredStage[] {
    return [...this.runners.values()].flatMap((runner) => runner.lowered ?? []);
  }

  /** Render stages that compute tiles smaller than their manifest names, by id. */
  get resizable(): readonly string[] {
    return [...this.runners].filter(([, { stage }]) => stage.shapes.takesSmaller).map(([id]) => id);
  }

  /**
   * Warms one stage.
   * @throws Error when it does not run or does not match its manifest
   */
  async warm(stageId: string, how: 'once' | 'every shape'): Promise<void> {
    const runner = this.runners.get(stageId)!;
    try {
      await (how === 'once' ? runner.warm() : runner.warmEveryShape());
    } catch (error) {
      throw refusal(runner.stage.ref, this.provider, error);
    }
  }

  /** Returns outcomes in the order of the items. @throws like `StageRunner.run` */
  async run(
    stageId: string,
    items: readonly DeviceItem[],
    signal?: AbortSignal,
  ): Promise<readonly DeviceOutcome[]> {
    const runner = this.runners.get(stageId);
    if (runner === undefined) return items.map(() => ({ ok: false, message: 'the stage is not loaded' }));
    const outcomes: DeviceOutcome[] = [];
    const alike = new Map<string, { readonly index: number; readonly inputs: NamedTensors }[]>();
    items.forEach((item, index) => {
      const inputs = this.inputsOf(runner.stage, item);
      if (inputs instanceof Error) {
        outcomes[index] = { ok: false, message: inputs.message };
        return;
      }
      const skipped = skippedTile(runner.stage.ref, inputs);
      if (skipped !== null) outcomes[index] = { ok: true, tensors: skipped };
      else alike.set(shapesOf(inputs), [...(alike.get(shapesOf(inputs)) ?? []), { index, inputs }]);
    });
    for (const group of alike.values()) {
      const results = await runner.run(
        group.map(({ inputs }) => inputs),
        signal,
      );
      group.forEach(({ index }, at) => {
        outcomes[index] = this.cacheMaps(runner.stage.ref, items[index]!, results[at]!);
      });
    }
    return outcomes;
  }

  cache({ analysis, maps }: CachedAnalysis): void {
    this.analyses.set(analysis, maps);
  }

  forget(analysis: number): void {
    this.analyses.delete(analysis);
  }

  async release(): Promise<void> {
    for (const { stage } of this.runners.values()) await stage.release();
  }

  /** The input of the graph, or why it is invalid; the other items still run. */
  private inputsOf(stage: LoadedStage, { tensors, analysis }: DeviceItem): NamedTensors | Error {
    try {
      const maps = stage.ref.kind === 'render' && analysis !== null ? this.mapsOf(analysis) : {};
      const inputs = { ...maps, ...tensors };
      stage.check(inputs);
      return inputs;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  private mapsOf(analysis: number): NamedTensors {
    const maps = this.analyses.get(analysis);
    if (maps === undefined) throw new Error(`the analysis ${analysis} is not cached any more`);
    return maps;
  }

  /** The maps of an analysis stay in this thread. Only values that the host must check are returned. */
  private cacheMaps(ref: StageRef, { analysis }: DeviceItem, outcome: DeviceOutcome): DeviceOutcome {
    if (ref.kind === 'render' || !outcome.ok) return outcome;
    const maps = outcome.tensors;
    const broken = nonFiniteOutput(maps);
    if (broken !== undefined)
      return { ok: false, message: `its output ${broken} is not finite: it contains NaN or an infinity` };
    if (analysis !== null) {
      this.cache({ analysis, maps });
      this.onCached({ analysis, maps });
    }
    const revealed = ref.noSubject?.output;
    // A copy: the response is transferred to the host.
    return {
      ok: true,
      tensors: revealed === undefined ? {} : { [revealed]: structuredClone(maps[revealed]!) },
    };
  }
}

/** Maps of a stage may come from analyses of several sizes; only equal shapes share a batch. */
function shapesOf(inputs: NamedTensors): string {
  return Object.values(inputs)
    .map(({ dims }) => dims.join('x'))
    .join(' ');
}

function refusal({ id, path }: StageRef, provider: string, cause: unknown): Error {
  const text = errorText(cause).trim();
  return new Error(`The stage ${id} (${path}) does not run on ${provider}: ${text}`, { cause });
}
