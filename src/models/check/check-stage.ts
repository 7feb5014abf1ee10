import { type Precision, probeOf, variantOf } from '../compose/compose-stage.js';
import { PROBE } from '../compose/compose-foreign.js';
import type { StageRef } from '../manifest/model-route.js';
import { areEqual, largestDifference } from './equal-results.js';
import { FINITE } from '../compose/finite-probe.js';
import { InvalidVersion } from '../repository/read-version.js';
import type { Graph } from '../../inference/engines/engine.js';
import { OnnxEngine } from '../../inference/engines/onnx-engine.js';
import type { Placement } from '../../inference/engines/placement.js';
import { type NamedTensors, shapeText, type Tensor, zeros } from '../../inference/tensor.js';
import { checkContract } from './foreign-contract.js';
import { colorNote } from './color-note.js';
import { haloNote } from './halo-note.js';
import { checkProbe } from './probe-shape.js';
import { openProbed } from './probed-graph.js';
import { LOADING, reasonOf } from './runtime-text.js';
import {
  edgeOf,
  type MapShapes,
  missingContents,
  type Trial,
  trialInputs,
  trialsOf,
  trialText,
} from './trial.js';
import type { CheckerRequest, StageReport } from './verdict.js';

/** Reports the current step, which is known even if the step kills the process. */
export type Announce = (doing: string) => void;

const SLOW_MS = 1_000;

/** One item that ran, and its result. */
interface Sample {
  readonly trial: Trial;
  readonly maps: MapShapes;
  readonly result: NamedTensors;
}

/** Checks one stage in one precision by dry runs on the CPU. */
export class StageCheck {
  private readonly placement: Placement;
  private doing = '';
  /** Duration of the last run. */
  private ranMs = 0;
  /** Durations of the runs of one item at full size, in this order. */
  private readonly fullSizeMs: number[] = [];
  /** One item at the smallest size. */
  private sample: Sample | undefined;

  /** @param maps the inputs that the routes of a render stage pass to it */
  constructor(
    private readonly stage: StageRef,
    private readonly precision: Precision,
    private readonly maps: readonly MapShapes[],
    private readonly host: Pick<CheckerRequest, 'threads' | 'triton' | 'notes'> & {
      readonly announce: Announce;
    },
  ) {
    this.placement = { provider: 'cpu', threads: host.threads, isGuess: false };
  }

  /** @throws InvalidVersion with what is wrong, where, and what to do */
  async run(): Promise<StageReport> {
    try {
      return await this.checked();
    } catch (error) {
      throw reasonOf(error, this.stage, this.doing);
    }
  }

  private async checked(): Promise<StageReport> {
    this.step(LOADING);
    const { stage } = this;
    const isOnnxFile = stage.engine === 'onnx' && !(stage.kind === 'render' && stage.matte !== undefined);
    if (isOnnxFile) await this.checkFile();
    this.step(LOADING);
    const { graph, graphSha256, composed } = await openProbed(
      stage,
      this.precision,
      this.placement,
      this.host.triton,
    );
    try {
      const shapes = await this.runTrials(graph);
      for (const maps of this.maps) await this.checkSkipping(graph, maps);
      const name = this.precision === 'fp32' ? stageName(stage) : `${stageName(stage)} (${this.precision})`;
      const notes = await this.notesOn(graph);
      return { stage: name, shapes, itemMs: await this.timed(graph), graphSha256, composed, notes };
    } finally {
      await graph.release();
    }
  }

  private async notesOn(graph: Graph): Promise<readonly string[]> {
    const { stage, precision } = this;
    if (this.host.notes !== true || precision !== 'fp32') return [];
    if (this.sample !== undefined && (await this.isRandom(graph, this.sample)))
      return [
        `output of the stage ${stageName(stage)}: the same input gives another result each time, so equal jobs differ, and tiles may not fit together; export it without random operators`,
      ];
    if (stage.kind === 'analyse') return [];
    const maps = this.maps[0] ?? {};
    const run = (inputs: NamedTensors): Promise<NamedTensors> => graph.run(inputsOf(graph, inputs));
    this.step('when its halo is measured');
    const halo = await haloNote(stage, graph, maps, run);
    this.step('when its colors are compared');
    const colors = await colorNote(stage, graph, maps, run);
    return [halo, colors].filter((note) => note !== null);
  }

  /** Compares declarations and results with the adapter. */
  private async checkFile(): Promise<void> {
    try {
      await checkContract(this.stage, this.precision);
      await this.checkRaw();
    } catch (error) {
      // An operator that the runtime lacks explains more than a contract mismatch.
      await this.checkOperators();
      throw error;
    }
  }

  /** Checks whether the runtime loads the file by itself. */
  private async checkOperators(): Promise<void> {
    const doing = this.doing;
    this.step(LOADING);
    const { path } = variantOf(this.stage, this.precision);
    const graph = await new OnnxEngine(this.placement).open({ kind: 'file', path });
    await graph.release();
    this.doing = doing;
  }

  /** Compares the output of a foreign graph with its adapter. */
  private async checkRaw(): Promise<void> {
    const probe = await probeOf(this.stage, this.precision);
    if (probe === null) return;
    this.step(LOADING);
    const graph = await new OnnxEngine(this.placement).open(probe);
    try {
      const trial = { batch: 1, edge: edgeOf(this.stage), channels: 3 } as const;
      const outputs = await this.fed(graph, trial, {});
      checkProbe(this.stage, outputs[PROBE]!.dims);
    } finally {
      await graph.release();
    }
  }

  private async runTrials(graph: Graph): Promise<readonly string[]> {
    const shapes: string[] = [];
    for (const maps of this.maps) {
      const unknown = this.unknownInputs(graph, maps);
      if (unknown.length > 0)
        throw new InvalidVersion(
          `the stage ${stageName(this.stage)} needs ${unknown.join(', ')} as input, which nothing provides; it can use ${offered(this.stage, maps).join(', ')}`,
        );
      for (const trials of trialsOf(this.stage)) {
        const trial = { ...trials, batch: 1 };
        const alone = await this.checkedRun(graph, trial, maps);
        if (trial.edge === edgeOf(this.stage)) this.fullSizeMs.push(this.ranMs);
        this.sample = { trial, maps, result: alone };
        shapes.push(trialText(trial));
        if (trials.batch === 1) continue;
        const together = await this.checkedRun(graph, trials, maps);
        shapes.push(trialText(trials));
        if (!areEqual(alone, together)) throw await this.unequal(graph, trials, this.sample);
      }
      await this.runPlain(graph, maps);
    }
    return shapes;
  }

  /**
   * Black and white alone, where no batch has them: a stage that gives NaN for them must not depend on its maxBatch to be
   * found. The smallest size is enough, and bytes from a server cannot be probed.
   */
  private async runPlain(graph: Graph, maps: MapShapes): Promise<void> {
    if (!graph.outputNames.includes(FINITE)) return;
    const { edge } = trialsOf(this.stage).at(-1)!;
    for (const content of missingContents(this.stage.maxBatch))
      await this.checkedRun(graph, { batch: 1, edge, channels: 3, content }, maps);
  }

  /** Checks whether the graph returns skipped tiles unchanged. */
  private async checkSkipping(graph: Graph, maps: MapShapes): Promise<void> {
    const { stage } = this;
    if (stage.kind === 'analyse' || stage.skipWhereZero === undefined) return;
    const map = stage.skipWhereZero;
    const output = graph.outputNames.find((name) => name !== FINITE)!;
    for (const channels of [3, 4] as const) {
      const trial = { batch: 1, edge: edgeOf(stage), channels } as const;
      this.step(`when it runs ${trialText(trial)}`);
      const inputs = { ...trialInputs(trial, maps), [map]: zeros('float32', [1, ...maps[map]!]) };
      const found = (await graph.run(inputsOf(graph, inputs)))[output]!;
      const isSame = stage.producesAlpha
        ? found.data.every((value, at) => at % 4 < 3 || value === 0)
        : largestDifference(inputs['image']!, found) === 0;
      if (isSame) continue;
      throw new InvalidVersion(
        `the stage ${stageName(stage)} changes pixels where ${map} is 0${stage.producesAlpha ? ', or leaves them visible' : ''}; remove its skipWhereZero`,
      );
    }
  }

  private unknownInputs(graph: Graph, maps: MapShapes): readonly string[] {
    const known = offered(this.stage, maps);
    return graph.inputNames.filter((name) => !known.includes(name));
  }

  private async checkedRun(graph: Graph, trial: Trial, maps: MapShapes): Promise<NamedTensors> {
    const outputs = await this.fed(graph, trial, maps);
    const name = stageName(this.stage);
    const finite = outputs[FINITE];
    if (finite !== undefined && !Number.isFinite(finite.data[0])) {
      throw new InvalidVersion(
        `the stage ${name} gives numbers that are not finite (NaN or infinite) for ${trialText(trial)}; its weights or its input range are wrong`,
      );
    }
    for (const [output, type, dims] of expected(this.stage, graph, trial)) {
      const found = outputs[output];
      if (found?.type === type && found.dims.join() === dims.join()) continue;
      const text = found === undefined ? 'nothing' : shapeText(found.type, found.dims);
      throw new InvalidVersion(
        `the stage ${name} gives ${text} as ${output} for ${trialText(trial)}, by the manifest it must be ${shapeText(type, dims)}; correct scale, size, outputs or alpha`,
      );
    }
    return outputs;
  }

  private async fed(graph: Graph, trial: Trial, maps: MapShapes): Promise<NamedTensors> {
    this.step(`when it runs ${trialText(trial)}`);
    const inputs = inputsOf(graph, trialInputs(trial, maps));
    const startMs = performance.now();
    const outputs = await graph.run(inputs);
    this.ranMs = performance.now() - startMs;
    return outputs;
  }

  /** Why a batch gives another result than its first item alone. */
  private async unequal(graph: Graph, trial: Trial, alone: Sample): Promise<InvalidVersion> {
    const name = stageName(this.stage);
    return new InvalidVersion(
      (await this.isRandom(graph, alone))
        ? `the stage ${name} gives another result each time, so batches cannot be compared with single items; set its maxBatch to 1, or export it without random operators`
        : `the stage ${name} gives another result in a batch of ${trial.batch} than alone; set its maxBatch to 1`,
    );
  }

  /** Whether an input gives another result when it runs again. */
  private async isRandom(graph: Graph, { trial, maps, result }: Sample): Promise<boolean> {
    const again = await this.fed(graph, trial, maps);
    if (trial.edge === edgeOf(this.stage)) this.fullSizeMs.push(this.ranMs);
    return !areEqual(result, again);
  }

  private async timed(graph: Graph): Promise<number> {
    const [firstMs, ...laterMs] = this.fullSizeMs;
    // In a run of a second or more, the cost of warming up is negligible.
    if (laterMs.length === 0 && firstMs !== undefined && firstMs > SLOW_MS) return Math.round(firstMs);
    if (laterMs.length === 0)
      await this.fed(graph, { batch: 1, edge: edgeOf(this.stage), channels: 3 }, this.maps[0] ?? {});
    return Math.round((laterMs.at(-1) ?? this.ranMs) * 10) / 10;
  }

  private step(doing: string): void {
    this.doing = doing;
    this.host.announce(`the stage ${stageName(this.stage)} fails ${doing}`);
  }
}

export function stageName({ id }: StageRef): string {
  return id.split('/').at(-1)!;
}

/** Selects the inputs that the graph has. */
function inputsOf({ inputNames }: Graph, inputs: NamedTensors): NamedTensors {
  return Object.fromEntries(inputNames.filter((name) => name in inputs).map((name) => [name, inputs[name]!]));
}

function offered(stage: StageRef, maps: MapShapes): readonly string[] {
  return stage.kind === 'analyse' ? ['image'] : ['image', 'strength', 'window', ...Object.keys(maps)];
}

function expected(
  stage: StageRef,
  graph: Graph,
  { batch, edge, channels }: Trial,
): readonly (readonly [string, Tensor['type'], readonly number[]])[] {
  if (stage.kind === 'analyse')
    return Object.entries(stage.outputs).map(([name, dims]) => [name, 'float32', [batch, ...dims]]);
  const size = edge * stage.scale;
  const output = graph.outputNames.find((name) => name !== FINITE)!;
  return [[output, 'uint8', [batch, size, size, stage.producesAlpha ? 4 : channels]]];
}
