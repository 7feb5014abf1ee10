import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ROOT } from '../lib/paths.mjs';
import { namesWith } from './command-line.mjs';
import { JobClient } from './job-client.mjs';
import { photo } from './photo.mjs';
import { openStage } from './stage.mjs';
import { judge, under, verdict } from './verdict.mjs';
import { forgetPeak, loopDelay, residentMb, watchFamily } from './worker/worker-watch.mjs';

/**
 * Memory limits of a worker, alone and with its decoders and encoders: gigabytes are powers of ten, values are in 2^20.
 */
const underGb = (gb) => ({ ...under(Math.floor((gb * 1e9) / 2 ** 20)), target: `under ${gb} GB` });
const WORKER = underGb(0.8);
const FAMILY = underGb(1.5);

const MP50 = [8660, 5773];
const MP12 = [4000, 3000];
const MP20 = [5160, 3870];
const MP34 = [6750, 5000];
const MP36 = [7300, 4900];
const MP40 = [7700, 5180];

/** The orders to the worker, one row each. Several orders in a row are sent at once. */
const ROWS = [
  ...['smooth_skin', 'auto_enhance', 'bg_remove'].map((operation) => ({
    size: MP50,
    orders: [{ operation, level: 'high', output: { format: operation === 'bg_remove' ? 'png' : 'jpeg' } }],
  })),
  { size: MP50, orders: [{ operation: 'upscale', level: 'low', output: { format: 'jpeg' } }] },
  { size: MP12, orders: [{ operation: 'upscale', level: 'high', output: { format: 'jpeg' } }] },
  { size: MP12, orders: [{ operation: 'upscale', level: 'high', output: { format: 'png' } }] },
  {
    size: MP12,
    orders: ['smooth_skin', 'auto_enhance', 'bg_remove', 'upscale', 'auto_enhance', 'smooth_skin'].map(
      (operation) => ({ operation, level: 'low', output: { format: 'png' } }),
    ),
  },
  {
    size: MP50,
    orders: ['auto_enhance', 'smooth_skin', 'bg_remove', 'auto_enhance'].map((operation) => ({
      operation,
      level: 'low',
      output: { format: 'png' },
    })),
  },
  // Nearly the largest images that CODEC_MEMORY_BYTES allows, for decoders and encoders that keep the whole image in
  // memory.
  ...[
    ['avif', MP40],
    ['webp', MP50],
  ].map(([from, size]) => ({
    size,
    from,
    orders: [{ operation: 'smooth_skin', level: 'low', output: { format: 'jpeg' } }],
  })),
  { size: MP36, orders: [{ operation: 'smooth_skin', level: 'low', output: { format: 'avif' } }] },
  { size: MP20, orders: [{ operation: 'bg_remove', level: 'low', output: { format: 'avif' } }] },
  { size: MP34, orders: [{ operation: 'upscale', level: 'low', output: { format: 'webp' } }] },
];

/**
 * Measures the resident memory of a real worker process (VmHWM of proc(5)), and of the worker with its decoders and
 * encoders (VmRSS, sampled), against their limits. Also measures its event loop during work on large images, and files
 * that remain on its disk. `--only=TEXT` runs the rows whose name contains the text.
 */
export async function run({ json, only }) {
  if (process.platform !== 'linux') throw new Error('This benchmark reads /proc, which only Linux has.');
  const names = namesWith(only, ROWS.map(nameOf));
  const wanted = ROWS.filter((row) => names.includes(nameOf(row)));
  const stage = await openStage();
  try {
    const started = await startWorker(stage);
    const client = new JobClient(stage);
    const idleMb = residentMb(started.pid).now;
    const rows = [];
    say(json, `${heading()}\n${line({ name: 'worker at rest', peakMb: idleMb })}\n`);
    for (const row of wanted) {
      rows.push(await measure(client, started, row));
      say(json, `${line(rows.at(-1))}\n`);
    }
    // A job's files are deleted after the worker was told that the job is done.
    await sleep(1_000);
    const restMb = residentMb(started.pid).now;
    say(json, `${line({ name: 'worker at rest again', peakMb: restMb })}\n`);
    const leftBytes = await bytesIn(join(stage.dataDir, 'scratch'));
    say(json, `left in the scratch folder: ${leftBytes} bytes\n`);
    const worker = judge(Math.max(...rows.map(({ peakMb }) => peakMb)), WORKER);
    const family = judge(Math.max(...rows.map(({ totalMb }) => totalMb)), FAMILY);
    say(json, `largest worker: ${worker.value.toFixed(0)} MB (${verdict(worker)})\n`);
    say(json, `with its processes: ${family.value.toFixed(0)} MB (${verdict(family)})\n`);
    if (json)
      process.stdout.write(`${JSON.stringify({ idleMb, rows, restMb, leftBytes, worker, family })}\n`);
    return { rows, worker, family };
  } finally {
    await stage.close();
  }
}

async function startWorker(stage) {
  const { child } = await stage.startWorker({
    LOG_LEVEL: 'warn',
    INFERENCE_DEVICE: process.env.INFERENCE_DEVICE ?? 'cpu',
    MODELS_DIR: join(ROOT, 'models'),
  });
  return child;
}

async function measure(client, worker, { size, orders, from = 'jpeg' }) {
  const source = await client.upload(await photo(...size, from));
  forgetPeak(worker.pid);
  await loopDelay(worker);
  const highestOfFamily = watchFamily(worker.pid);
  const beside = monitorEventLoopDelay({ resolution: 5 });
  beside.enable();
  const startedAt = performance.now();
  const jobs = await Promise.all(orders.map((order) => client.enhance(source.url, order)));
  const seconds = (performance.now() - startedAt) / 1000;
  const peakMb = residentMb(worker.pid).peak;
  const totalMb = highestOfFamily();
  const promises = [judge(peakMb, WORKER), judge(totalMb, FAMILY)];
  const outMp = jobs.map(({ result }) => (result.width * result.height) / 1e6);
  return {
    name: nameOf({ size, orders, from }),
    inMp: (size[0] * size[1]) / 1e6,
    outMp: Math.max(...outMp),
    peakMb,
    totalMb,
    target: promises.map(({ target }) => target).join(' and '),
    isMet: promises.every(({ isMet }) => isMet),
    seconds,
    timings: jobs.map(({ timings }) => timings),
    loop: await loopDelay(worker),
    // This process only waits, so a delay of its event loop shows load that affects every process.
    besideP99Ms: beside.percentile(99) / 1e6,
  };
}

async function bytesIn(dir) {
  const names = await readdir(dir, { recursive: true });
  const statuses = await Promise.all(names.map((name) => stat(join(dir, name))));
  return statuses
    .filter((status, index) => status.isFile() && !names[index].endsWith('owner.json'))
    .reduce((sum, status) => sum + status.size, 0);
}

function nameOf({ size: [width, height], orders, from = 'jpeg' }) {
  const mp = Math.round((width * height) / 1e6);
  const [{ operation, level, output }] = orders;
  return orders.length > 1
    ? `${orders.length} jobs of ${mp} MP at once`
    : `${operation} ${level}, ${mp} MP ${from} to ${output.format}`;
}

function heading() {
  return `${'what'.padEnd(40)} ${'MP in → out'.padStart(14)} ${'peak RSS'.padStart(9)} ${'+ others'.padStart(10)} ${'promised'.padEnd(35)} ${'time'.padStart(8)}   event loop kept p50 / p99 / most (p99 of an idle process beside it)`;
}

function line({ name, inMp, outMp, peakMb, totalMb, seconds, loop, besideP99Ms, target, isMet }) {
  const pixels = inMp === undefined ? '' : `${inMp.toFixed(0)} → ${outMp.toFixed(0)}`;
  const time = seconds === undefined ? '' : `${seconds.toFixed(1)} s`;
  const total = totalMb === undefined ? '' : `${totalMb.toFixed(0)} MB`;
  const kept =
    loop === undefined
      ? ''
      : [loop.p50Ms, loop.p99Ms, loop.maxMs].map((ms) => `${ms.toFixed(0)} ms`).join(' / ') +
        ` (${besideP99Ms.toFixed(0)} ms)`;
  return `${name.padEnd(40)} ${pixels.padStart(14)} ${`${peakMb.toFixed(0)} MB`.padStart(9)} ${total.padStart(10)} ${verdict({ target, isMet }).padEnd(35)} ${time.padStart(8)}   ${kept}`;
}

function say(json, text) {
  if (!json) process.stdout.write(text);
}
