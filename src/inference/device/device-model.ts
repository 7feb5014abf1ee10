import type { StageRef } from '../../catalog/model-route.js';
import type { Engine } from '../engines/engine.js';
import type { NamedTensors } from '../tensor.js';
import type { DeviceItem, DeviceOutcome, DeviceStage } from './device-port.js';
import { LoadedStage } from './loaded-stage.js';
import { runBatch } from './run-batch.js';

/** Everything loaded on one device: the stages, and the outputs of analyses that wait for their render. */
export class DeviceModel {
  private readonly analyses = new Map<number, NamedTensors>();

  private constructor(
    readonly provider: string,
    private readonly stages: ReadonlyMap<string, LoadedStage>,
  ) {}

  /**
   * Loads every stage; `warm` is what remains to be done.
   * @throws Error naming the stage that does not load or does not keep to its manifest
   */
  static async load(engine: Engine, stages: readonly DeviceStage[]): Promise<DeviceModel> {
    const loaded = new Map<string, LoadedStage>();
    for (const stage of stages) {
      try {
        loaded.set(stage.ref.id, await LoadedStage.load(engine, stage));
      } catch (error) {
        await new DeviceModel(engine.provider, loaded).release();
        throw refusal(stage.ref, engine.provider, error);
      }
    }
    return new DeviceModel(engine.provider, loaded);
  }

  get stageIds(): readonly string[] {
    return [...this.stages.keys()];
  }

  /**
   * Warms one stage.
   * @param everyShape the device is tuned anew for each shape
   * @throws Error naming the stage when it does not run or does not keep to its manifest
   */
  async warm(stageId: string, everyShape: boolean): Promise<void> {
    const stage = this.stages.get(stageId)!;
    try {
      await stage.warm(everyShape);
    } catch (error) {
      throw refusal(stage.ref, this.provider, error);
    }
  }

  /** Outcomes in the order of the items; never throws. */
  async run(stageId: string, items: readonly DeviceItem[]): Promise<readonly DeviceOutcome[]> {
    const stage = this.stages.get(stageId);
    if (stage === undefined) return items.map(() => ({ ok: false, message: 'the stage is not loaded' }));
    return runBatch((batch) => this.runItems(stage, batch), items);
  }

  forget(analysis: number): void {
    this.analyses.delete(analysis);
  }

  async release(): Promise<void> {
    for (const stage of this.stages.values()) await stage.release();
  }

  private async runItems(stage: LoadedStage, items: readonly DeviceItem[]): Promise<readonly NamedTensors[]> {
    if (stage.ref.kind === 'render') return stage.run(items.map((item) => this.withMaps(item)));
    const revealed = stage.ref.noSubject?.output;
    const outputs = await stage.run(items.map(({ tensors }) => tensors));
    return outputs.map((maps, index) => {
      const { analysis } = items[index]!;
      if (analysis !== null) this.analyses.set(analysis, maps);
      // A copy: what is answered moves to the host, what is kept stays.
      return revealed === undefined ? {} : { [revealed]: structuredClone(maps[revealed]!) };
    });
  }

  private withMaps({ tensors, analysis }: DeviceItem): NamedTensors {
    if (analysis === null) return tensors;
    const maps = this.analyses.get(analysis);
    if (maps === undefined) throw new Error(`the analysis ${analysis} is not kept any more`);
    return { ...maps, ...tensors };
  }
}

function refusal({ id, path }: StageRef, provider: string, cause: unknown): Error {
  const text = (cause instanceof Error ? cause.message : String(cause)).trim();
  return new Error(`The stage ${id} (${path}) does not run on ${provider}: ${text}`, { cause });
}
