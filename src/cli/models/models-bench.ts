import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { graphOf } from '../../models/compose/compose-stage.js';
import { loadCatalog } from '../../models/repository/load-catalog.js';
import type { StageRef } from '../../models/manifest/model-route.js';
import type { DeviceStage } from '../../inference/device/device-port.js';
import { deviceStages } from '../../inference/device-stages.js';
import type { Graph } from '../../inference/engines/engine.js';
import { Engines } from '../../inference/engines/engines.js';
import { providerCandidates } from '../../inference/engines/execution-provider.js';
import { OnnxEngine } from '../../inference/engines/onnx-engine.js';
import type { Placement } from '../../inference/engines/placement.js';
import { streamThreads } from '../../inference/device/threads/stream-threads.js';
import type { NamedTensors } from '../../inference/tensor.js';
import { textTable } from '../text-table.js';
import { trialInputs } from '../../models/check/trial.js';
import { countingGraph } from './bench/arithmetic.js';
import { plainConvolution } from './bench/plain-convolution.js';
import { type ModelsAnswer, type ModelsCommand, type ModelsContext, ModelsError } from './models-command.js';

interface Row {
  readonly stage: string;
  readonly provider: string;
  /** Megapixels of useful source area per second; for an `analyse` stage, of its input. */
  readonly megapixelsPerSecond: number;
  readonly itemMs: number;
  /** Billions of multiplications and additions for one item; null where the engine cannot report them. */
  readonly gflops: number | null;
  /**
   * Time of plain 3×3 convolutions with the same arithmetic, divided by the model's time. The two are measured
   * alternately.
   */
  readonly ofPlain: number | null;
}

const MIN_MS = 1_500;
const MIN_RUNS = 5;

/**
 * `models bench`: the speed of each stage, and its ratio to that of plain convolutions measured at the same time. On a
 * CPU, measures one stream with its share of the threads, because the other streams use the rest.
 */
export function benchModels({ operation }: { readonly operation?: string }): ModelsCommand {
  return (context) => measured(context, operation);
}

async function measured(context: ModelsContext, wanted: string | undefined): Promise<ModelsAnswer> {
  const { config, progress } = context;
  const catalog = await loadCatalog(config.modelsDir);
  // `npm run bench -- triton` measures stages that run on a server.
  const stages = deviceStages({
    routes: () => catalog.routes().filter(({ operation }) => operation === (wanted ?? operation)),
  }).filter(({ ref }) => ref.remote === undefined);
  if (stages.length === 0)
    throw new ModelsError(`No model serves ${wanted ?? 'any operation'} in ${config.modelsDir}.`);
  const rows: Row[] = [];
  progress.begin(stages.length, 'loading');
  for (const [index, stage] of stages.entries()) {
    progress.to(index, stage.ref.id);
    rows.push(await benched(stage, placementOf(context)));
  }
  progress.end();
  return { json: rows, text: asText(rows) };
}

function placementOf({ config }: ModelsContext): Placement {
  const [provider] = providerCandidates(config.inferenceDevice);
  const { inferenceThreads: threads, inferenceStreams: streams } = config;
  return {
    provider: provider!,
    // The same number of threads as in a worker.
    threads: provider === 'cpu' ? streamThreads({ threads, streams }).threads : threads,
    isGuess: config.inferenceDevice === 'auto',
    precision: config.precision,
  };
}

async function benched({ ref, mapSets }: DeviceStage, placement: Placement): Promise<Row> {
  const engines = new Engines(placement);
  const edge = ref.kind === 'analyse' ? ref.size : ref.tile + 2 * ref.halo;
  const inputs = trialInputs({ batch: 1, edge, channels: 3 }, mapSets[0] ?? {});
  const graph = await engines.load(ref);
  const useful = ref.kind === 'analyse' ? ref.size ** 2 : ref.tile ** 2;
  const operations = ref.engine === 'onnx' ? await operationsOf(ref, placement, inputs) : null;
  const plain = operations === null ? null : plainConvolution(edge, operations);
  const beside =
    plain && (await new OnnxEngine(placement).open({ kind: 'bytes', bytes: plain.bytes, folder: '.' }));
  const model = fedOf(graph, inputs);
  const { modelMs, plainMs } = await alternated(
    () => graph.run(model),
    beside && (() => beside.run(plain.inputs)),
  );
  await graph.release();
  await beside?.release();
  const expectedMs = plain === null || plainMs === null ? null : (plainMs * operations!) / plain.operations;
  return {
    stage: ref.id,
    provider: engines.provider,
    megapixelsPerSecond: rounded(useful / modelMs / 1000),
    itemMs: rounded(modelMs),
    gflops: operations === null ? null : rounded(operations / 1e9),
    ofPlain: expectedMs === null ? null : rounded(expectedMs / modelMs),
  };
}

async function operationsOf(ref: StageRef, placement: Placement, inputs: NamedTensors): Promise<number> {
  const source = await graphOf(ref, 'fp32');
  const bytes = source.kind === 'bytes' ? source.bytes : await readFile(source.path);
  const counting = countingGraph(bytes);
  const folder = source.kind === 'bytes' ? source.folder : dirname(ref.path);
  const graph = await new OnnxEngine(placement).open({ kind: 'bytes', bytes: counting.bytes, folder });
  const outputs = await graph.run(fedOf(graph, inputs));
  await graph.release();
  return counting.operations(outputs);
}

function fedOf(graph: Graph, inputs: NamedTensors): NamedTensors {
  return Object.fromEntries(graph.inputNames.map((name) => [name, inputs[name]!]));
}

/** Measures both alternately, so that other load on the machine affects them equally. Returns medians. */
async function alternated(
  model: () => Promise<unknown>,
  plain: (() => Promise<unknown>) | null,
): Promise<{ readonly modelMs: number; readonly plainMs: number | null }> {
  const times: { model: number[]; plain: number[] } = { model: [], plain: [] };
  await model();
  await plain?.();
  const endMs = performance.now() + MIN_MS;
  while (times.model.length < MIN_RUNS || performance.now() < endMs) {
    times.model.push(await timed(model));
    if (plain !== null) times.plain.push(await timed(plain));
  }
  return { modelMs: median(times.model), plainMs: plain === null ? null : median(times.plain) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

function asText(rows: readonly Row[]): string {
  const head = ['stage', 'on', 'MP/s', 'ms an item', 'GFLOP an item', 'of plain 3×3'];
  const cells = rows.map(({ stage, provider, megapixelsPerSecond, itemMs, gflops, ofPlain }) =>
    [stage, provider, megapixelsPerSecond, itemMs, gflops ?? '–', ofPlain ?? '–'].map(String),
  );
  return textTable([head, ...cells]);
}
