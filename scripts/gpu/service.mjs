// Measures the whole service under load: `node scripts/gpu/service.mjs --device cuda`. Prints JSON.
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JobClient } from '../bench/job-client.mjs';
import { median } from '../bench/load.mjs';
import { photo } from '../bench/photo.mjs';
import { openStage } from '../bench/stage.mjs';
import { startWarmWorker } from '../bench/worker/warm-worker.mjs';
import { cpuSeconds, loopDelay, residentMb } from '../bench/worker/worker-watch.mjs';
import { cleanupOnce } from '../lib/cleanup.mjs';
import { ROOT } from '../lib/paths.mjs';
import { runScript } from '../lib/run-script.mjs';
import { setup } from '../lib/setup.mjs';
import { watchGpu } from './gpu-watch.mjs';

const SIZE = [1600, 1200];
/** Memory of one job of this size, at ×4. */
const JOB_BYTES = 400_000_000;
const OPERATIONS = ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove'];
const LEVELS = ['low', 'medium', 'high'];
const TIMINGS = ['queuedMs', 'decodeMs', 'inferenceMs', 'encodeMs', 'totalMs'];

await runScript({
  invocation: 'node scripts/gpu/service.mjs',
  description:
    'Measures the whole service under load: jobs of all operations and levels from many clients at once.',
  declare: (program, { numberOption, repeatedOption, wordOption }) =>
    program
      .requiredOption('--device <name>', 'device of the workers')
      .option(
        '--workers <n>',
        'worker processes on the same device',
        numberOption('--workers', { from: 1, whole: true }),
        1,
      )
      .option(
        '--clients <n>',
        'clients, each with one job at a time',
        numberOption('--clients', { from: 1, whole: true }),
        64,
      )
      .option(
        '--at-once <n>',
        'jobs at once of each worker',
        numberOption('--at-once', { from: 1, whole: true }),
      )
      .option(
        '--streams <n>',
        'streams of each worker',
        numberOption('--streams', { from: 1, whole: true }),
        2,
      )
      .option(
        '--operation <name>',
        'load the models of this operation only; may be repeated',
        repeatedOption(wordOption('--operation', OPERATIONS)),
      )
      .option(
        '--level <name>',
        'jobs of this level only; may be repeated',
        repeatedOption(wordOption('--level', LEVELS)),
      )
      .option('--jobs <n>', 'number of jobs', numberOption('--jobs', { from: 1, whole: true }), 600),
  main: async (options) => {
    await setup();
    process.stdout.write(`${JSON.stringify(await measure(options))}\n`);
  },
});

async function measure({ device, workers: count, clients, jobs, atOnce, streams, ...kinds }) {
  const { operation: operations = OPERATIONS, level: levels = LEVELS } = kinds;
  const orders = operations.flatMap((operation) => levels.map((level) => ({ operation, level })));
  const models = modelsOf(operations);
  const removeModels = cleanupOnce(() => rmSync(models, { recursive: true }));
  let stage;
  try {
    stage = await openStage({ api: { MODELS_DIR: models } });
    const workers = [];
    const openedMs = performance.now();
    const env = {
      MODELS_DIR: models,
      INFERENCE_STREAMS: String(streams),
      ...(atOnce && { WORKER_CONCURRENCY: String(atOnce), WORKER_MEMORY_BYTES: String(atOnce * JOB_BYTES) }),
    };
    for (let number = 0; number < count; number += 1)
      workers.push(await startWarmWorker(stage, { device, env }));
    const startSeconds = (performance.now() - openedMs) / 1_000 / count;
    const client = new JobClient(stage);
    const source = await client.upload(await photo(...SIZE));
    // Run each kind once, so that the compilation of kernels is not measured.
    for (const order of orders) await client.enhance(source.url, { ...order, cache: false });
    const processes = workers.map(({ child }) => child.pid);
    const memory = [residentSum(processes)];
    const busyBefore = processorSum(processes);
    const itemsBefore = await total(workers, 'ies_batch_items_sum');
    const runsBefore = await total(workers, 'ies_batch_items_count');
    const runningBefore = await total(workers, 'ies_stage_run_seconds_sum');
    await Promise.all(workers.map(({ child }) => loopDelay(child)));
    const stopWatching = watchGpu();
    const startedMs = performance.now();
    const done = await underLoad({
      client,
      source,
      orders,
      clients,
      jobs,
      each: () => memory.push(residentSum(processes)),
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    const gpu = await stopWatching();
    const runningSeconds = (await total(workers, 'ies_stage_run_seconds_sum')) - runningBefore;
    const items = (await total(workers, 'ies_batch_items_sum')) - itemsBefore;
    const runs = (await total(workers, 'ies_batch_items_count')) - runsBefore;
    const loops = await Promise.all(workers.map(({ child }) => loopDelay(child)));
    const totals = done.map(({ ms }) => ms).toSorted((a, b) => a - b);
    return {
      device: [...new Set(done.map((one) => one.device))],
      precision: [...new Set(done.map((one) => one.precision))],
      jobs: done.length,
      seconds: round(seconds),
      jobsPerSecond: round(done.length / seconds),
      megapixelsPerSecond: round((done.length * SIZE[0] * SIZE[1]) / 1e6 / seconds),
      medianMs: Math.round(median(totals)),
      p99Ms: Math.round(totals[Math.floor(totals.length * 0.99)]),
      timings: Object.fromEntries(
        TIMINGS.map((name) => [name, median(done.map(({ timings }) => timings[name]))]),
      ),
      itemsPerRun: round(items / runs),
      streamsBusyPercent: round((100 * runningSeconds) / (seconds * streams * count)),
      loopDelayMs: {
        p99: round(Math.max(...loops.map(({ p99Ms }) => p99Ms))),
        max: round(Math.max(...loops.map(({ maxMs }) => maxMs))),
      },
      workerStartSeconds: round(startSeconds),
      streams,
      atOnce: atOnce ?? 'default',
      workerProcessorSeconds: round(processorSum(processes) - busyBefore),
      workerMemoryMb: quarters(memory),
      gpu,
    };
  } finally {
    await stage?.close();
    await removeModels();
  }
}

/** A folder with the models of these operations only, because each model takes a GPU seconds to prepare. */
function modelsOf(operations) {
  const folder = mkdtempSync(join(tmpdir(), 'ies-models-'));
  chmodSync(folder, 0o755);
  for (const operation of operations)
    cpSync(join(ROOT, 'models', operation), join(folder, operation), { recursive: true });
  return folder;
}

async function underLoad({ client, source, orders, clients, jobs, each }) {
  const done = [];
  let next = 0;
  const one = async () => {
    while (next < jobs) {
      const order = orders[next % orders.length];
      next += 1;
      const sentMs = performance.now();
      const job = await client.enhance(source.url, { ...order, cache: false });
      const { device, precision, timings } = job;
      done.push({ ms: performance.now() - sentMs, device, precision, timings });
      each();
    }
  };
  await Promise.all(Array.from({ length: clients }, one));
  return done;
}

/** The maximum of each quarter of a run. With a leak, it grows from quarter to quarter. */
function quarters(values) {
  const size = Math.ceil(values.length / 4);
  return [0, 1, 2, 3].map((quarter) =>
    Math.round(Math.max(...values.slice(quarter * size, (quarter + 1) * size), 0)),
  );
}

/** The sum of a metric over all workers. */
async function total(workers, name) {
  return (await Promise.all(workers.map(({ metric }) => metric(name)))).reduce((a, b) => a + b, 0);
}

function residentSum(pids) {
  return pids.reduce((sum, pid) => sum + residentMb(pid).now, 0);
}

function processorSum(pids) {
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

function round(value) {
  return Number(value.toFixed(2));
}
