import { InferenceSession, Tensor } from 'onnxruntime-node';
import { availableParallelism } from 'node:os';
import { floatTwin } from './float-twin.mjs';
import { median } from '../load.mjs';

const TILES = 8;

/** The device of the worker and the bare sessions: `cpu`, `cuda`, `tensorrt`, or `webgpu`. */
export const DEVICE = process.env.INFERENCE_DEVICE ?? 'cpu';

/** One session on all cores, and the runtime's defaults for memory. The service divides the cores among its streams. */
export const SESSION = {
  executionProviders: [DEVICE],
  intraOpNumThreads: availableParallelism(),
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  logSeverityLevel: 4,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};

/**
 * The file of a stage in the precision that a job reports, so that a bare loop runs what the worker has run.
 * @param {{ path: string, fp16?: { path: string }, int8?: { path: string } }} stage
 * @param {'float32' | 'float16' | 'int8'} precision
 */
export function fileOf({ path, fp16, int8 }, precision) {
  return { float32: path, float16: fp16?.path, int8: int8?.path }[precision];
}

/**
 * Compares the graph that takes and returns bytes with its float network surrounded by tight loops. The two alternate
 * tile by tile, so that other load affects both.
 * @returns medians: the speedup of the first, the ratio of processor times, and how long the loops of the second
 *   block the thread
 */
export async function compareWithLoops({ path, tile, halo, scale }, rounds) {
  const edge = tile + 2 * halo;
  const bytes = Uint8Array.from({ length: edge * edge * 3 }, (_, index) => (index * 7 + (index >> 8)) & 255);
  const graph = await InferenceSession.create(path, SESSION);
  const twin = await floatTwin(path, scale);
  const network = await InferenceSession.create(twin.bytes, SESSION);
  const inGraph = async () => {
    const { enhanced } = await graph.run({ image: new Tensor('uint8', bytes, [1, edge, edge, 3]) });
    return enhanced.data;
  };
  let loopMs = 0;
  const inLoops = async () => {
    const startedAt = performance.now();
    const floats = planesOf(bytes, edge);
    const beforeRun = performance.now();
    const outputs = await network.run({ [twin.input]: new Tensor('float32', floats, [1, 3, edge, edge]) });
    const afterRun = performance.now();
    const pixels = bytesOf(outputs[twin.output].data, edge * scale);
    loopMs += beforeRun - startedAt + performance.now() - afterRun;
    return pixels;
  };
  requireSame(await inGraph(), await inLoops());
  for (let index = 0; index < TILES; index += 1) await inLoops();
  loopMs = 0;
  const ratios = [];
  const cpu = { graph: 0, loops: 0 };
  for (let round = 0; round < rounds * TILES; round += 1) {
    const inside = await timed(inGraph);
    const around = await timed(inLoops);
    ratios.push(around.ms / inside.ms);
    cpu.graph += inside.cpuMs;
    cpu.loops += around.cpuMs;
  }
  await Promise.all([graph.release(), network.release()]);
  return {
    timesFaster: median(ratios),
    timesCheaper: cpu.loops / cpu.graph,
    loopMsPerTile: loopMs / (rounds * TILES),
  };
}

/** uint8 HWC to float32 CHW, 0..1. */
function planesOf(bytes, edge) {
  const area = edge * edge;
  const planes = new Float32Array(area * 3);
  for (let at = 0, from = 0; at < area; at += 1, from += 3) {
    planes[at] = bytes[from] / 255;
    planes[at + area] = bytes[from + 1] / 255;
    planes[at + 2 * area] = bytes[from + 2] / 255;
  }
  return planes;
}

/** float32 CHW, 0..1, to uint8 HWC. The typed array rounds and clips. */
function bytesOf(planes, edge) {
  const area = edge * edge;
  const bytes = new Uint8ClampedArray(area * 3);
  for (let at = 0, to = 0; at < area; at += 1, to += 3) {
    bytes[to] = planes[at] * 255;
    bytes[to + 1] = planes[at + area] * 255;
    bytes[to + 2] = planes[at + 2 * area] * 255;
  }
  return bytes;
}

async function timed(work) {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1e3 };
}

function requireSame(a, b) {
  if (a.length !== b.length) throw new Error(`the twin gives ${b.length} bytes, the graph ${a.length}`);
  const most = a.reduce((far, value, index) => Math.max(far, Math.abs(value - b[index])), 0);
  if (most > 1) throw new Error(`the twin differs by ${most} from the graph`);
}
