// Measures the whole service under load: `node scripts/gpu/service.mjs --device cuda`. Prints JSON.
import { JobClient } from '../bench/job-client.mjs';
import { median } from '../bench/load.mjs';
import { photo } from '../bench/photo.mjs';
import { openStage } from '../bench/stage.mjs';
import { startWarmWorker } from '../bench/worker/warm-worker.mjs';
import { cpuSeconds, residentMb } from '../bench/worker/worker-watch.mjs';
import { runScript } from '../lib/run-script.mjs';
import { setup } from '../lib/setup.mjs';
import { watchGpu } from './gpu-watch.mjs';

const SIZE = [1600, 1200];
const ORDERS = ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove'].flatMap((operation) =>
  ['low', 'medium', 'high'].map((level) => ({ operation, level })),
);

await runScript({
  invocation: 'node scripts/gpu/service.mjs',
  description:
    'Measures the whole service under load: jobs of all operations and levels from many clients at once.',
  declare: (program, { numberOption }) =>
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
      .option('--jobs <n>', 'number of jobs', numberOption('--jobs', { from: 1, whole: true }), 600),
  main: async (options) => {
    await setup();
    process.stdout.write(`${JSON.stringify(await measure(options))}\n`);
  },
});

async function measure({ device, workers: count, clients, jobs }) {
  const stage = await openStage();
  try {
    const workers = [];
    for (let number = 0; number < count; number += 1) workers.push(await startWarmWorker(stage, { device }));
    const client = new JobClient(stage);
    const source = await client.upload(await photo(...SIZE));
    // Run each kind once, so that the compilation of kernels is not measured.
    for (const order of ORDERS) await client.enhance(source.url, { ...order, cache: false });
    const processes = workers.map(({ child }) => child.pid);
    const memory = [residentSum(processes)];
    const busyBefore = processorSum(processes);
    const stopWatching = watchGpu();
    const startedMs = performance.now();
    const done = await underLoad({
      client,
      source,
      clients,
      jobs,
      each: () => memory.push(residentSum(processes)),
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    const gpu = await stopWatching();
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
      itemsPerRun: round(await ratio(workers, 'ies_batch_items_sum', 'ies_batch_items_count')),
      workerProcessorSeconds: round(processorSum(processes) - busyBefore),
      workerMemoryMb: quarters(memory),
      gpu,
    };
  } finally {
    await stage.close();
  }
}

async function underLoad({ client, source, clients, jobs, each }) {
  const done = [];
  let next = 0;
  const one = async () => {
    while (next < jobs) {
      const order = ORDERS[next % ORDERS.length];
      next += 1;
      const sentMs = performance.now();
      const job = await client.enhance(source.url, { ...order, cache: false });
      done.push({ ms: performance.now() - sentMs, device: job.device, precision: job.precision });
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

async function ratio(workers, above, below) {
  const sum = async (name) =>
    (await Promise.all(workers.map(({ metric }) => metric(name)))).reduce((a, b) => a + b, 0);
  return (await sum(above)) / (await sum(below));
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
