import type { GraphSource } from '../../models/compose/compose-stage.js';
import { GraphWriter, type Value } from '../../models/compose/graph-writer.js';
import { zeros } from '../tensor.js';
import type { Graph } from './engine.js';

const OPSET = 17;
const IR_VERSION = 8;
const CHANNELS = 32;
const EDGE = 64;
const KERNEL = 3;
const LAYERS = 2;
const SCALE = 1 / 128;
const ZERO_POINT = 128;
/** Runs of each network, and on a machine that is too busy to measure in these, the most that are made. */
const RUNS = 4;
const MAX_RUNS = 16;

/** Integers must save at least a quarter of the time, so that two starts of a worker choose alike. */
const MIN_SPEEDUP = 1.33;

/**
 * Whether a CPU runs 8-bit convolutions clearly faster than those in single precision, measured in some 20 ms with a
 * small network in both forms. The best of alternating runs counts, because other processes slow down single runs. As
 * long as integers are not faster, more runs follow: a worker that starts while memory or processors are short would
 * otherwise compute twice as long until its next start.
 * @param open loads a graph on the device
 */
export async function runsInt8Faster(open: (graph: GraphSource) => Promise<Graph>): Promise<boolean> {
  const [single, integer] = await Promise.all(
    [network(plainConvolution), network(integerConvolution)].map((bytes) =>
      open({ kind: 'bytes', bytes, folder: '.' }),
    ),
  );
  const best = { single: Infinity, integer: Infinity };
  // The first pair of runs allocates memory.
  await runMs(single!);
  await runMs(integer!);
  const isFaster = (): boolean => best.single >= MIN_SPEEDUP * best.integer;
  for (let run = 0; run < RUNS || (run < MAX_RUNS && !isFaster()); run += 1) {
    best.single = Math.min(best.single, await runMs(single!));
    best.integer = Math.min(best.integer, await runMs(integer!));
  }
  await Promise.all([single!.release(), integer!.release()]);
  return isFaster();
}

async function runMs(graph: Graph): Promise<number> {
  const x = zeros('float32', [1, CHANNELS, EDGE, EDGE]);
  const start = performance.now();
  await graph.run({ x });
  return performance.now() - start;
}

type Layer = (graph: GraphWriter, input: Value, weights: readonly number[]) => Value;

function network(layer: Layer): Uint8Array {
  const graph = new GraphWriter(OPSET);
  const dims = [1, CHANNELS, EDGE, EDGE];
  const weights = Array.from({ length: CHANNELS * CHANNELS * KERNEL * KERNEL }, (_, at) => (at % 15) - 7);
  let value = graph.input('x', 'float32', dims);
  for (let index = 0; index < LAYERS; index += 1) value = layer(graph, value, weights);
  graph.output(value, 'y', 'float32', dims);
  return graph.model(IR_VERSION);
}

const SHAPE = [CHANNELS, CHANNELS, KERNEL, KERNEL];
const PADDING = { pads: [1, 1, 1, 1] };

function plainConvolution(graph: GraphWriter, input: Value, weights: readonly number[]): Value {
  const scaled = weights.map((weight) => weight * SCALE);
  return graph.op('Conv', [input, graph.constant(scaled, 'float32', SHAPE)], PADDING);
}

function integerConvolution(graph: GraphWriter, input: Value, weights: readonly number[]): Value {
  const scale = graph.constant(SCALE);
  const kernel = graph.op('DequantizeLinear', [
    graph.constant(weights, 'int8', SHAPE),
    scale,
    graph.constant(0, 'int8'),
  ]);
  return rounded(graph, graph.op('Conv', [rounded(graph, input), kernel], PADDING));
}

/** The runtime replaces a convolution between such pairs with an integer one. */
function rounded(graph: GraphWriter, value: Value): Value {
  const [scale, zero] = [graph.constant(SCALE), graph.constant(ZERO_POINT, 'uint8')];
  return graph.op('DequantizeLinear', [graph.op('QuantizeLinear', [value, scale, zero]), scale, zero]);
}
