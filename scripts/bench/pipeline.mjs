import { InferenceSession, Tensor } from 'onnxruntime-node';
import { join } from 'node:path';
import sharp from 'sharp';
import { built } from '../lib/built.mjs';
import { ROOT } from '../lib/paths.mjs';
import { namesWith } from './command-line.mjs';
import { JobClient } from './job-client.mjs';
import { median } from './load.mjs';
import { photo } from './photo.mjs';
import { compareWithLoops, DEVICE, fileOf, SESSION } from './pipeline/graph.mjs';
import { openStage } from './stage.mjs';
import { startWarmWorker } from './worker/warm-worker.mjs';
import { atLeast, atMost, judge, under, verdict } from './verdict.mjs';
import { cpuSeconds, loopDelay } from './worker/worker-watch.mjs';

const ROUNDS = 3;
/** Rounds for nearly equal measurements: enough that the median is accurate to about 1%. */
const ROUNDS_OF_CLOSE = 21;
/** Jobs per measurement: enough that the first decode and the last encode have little weight, as in a busy service. */
const JOBS = 6;
const SIZE = [1600, 1200];
const MP12 = [4000, 3000];

/**
 * Compares the service (including HTTP, queue, database, decode, and encode) with a bare loop of `session.run` over the
 * same tiles in the same precision; graphs that take bytes with loops in JavaScript; and two concurrent jobs with two
 * consecutive ones. Also measures the worker's event loop. Measurements alternate, so that the ratios hold on a busy
 * machine.
 */
export async function run({ json, only, rounds = ROUNDS, rounds: roundsOfClose = ROUNDS_OF_CLOSE }) {
  const wanted = namesWith(
    only,
    rowsOf({}).map(({ name }) => name),
  );
  const { loadCatalog } = await built('models/repository/load-catalog.js');
  const catalog = await loadCatalog(join(ROOT, 'models'));
  const stage = await openStage();
  try {
    const worker = await startWarmWorker(stage, { device: DEVICE });
    const bench = { rounds, roundsOfClose, catalog, worker, client: new JobClient(stage) };
    const rows = [];
    for (const { name, measure } of rowsOf(bench)) {
      if (!wanted.includes(name)) continue;
      rows.push({ name, ...(await measure()) });
      if (!json) process.stdout.write(line(rows.at(-1)));
    }
    if (json) process.stdout.write(`${JSON.stringify(rows)}\n`);
    return rows;
  } finally {
    await stage.close();
  }
}

function rowsOf(bench) {
  const order = (operation, level, format = 'jpeg') => ({ operation, level, output: { format } });
  const light = order('upscale', 'low');
  const codec = order('auto_enhance', 'high');
  return [
    ...['low', 'medium', 'high'].map((level) => ({
      name: `upscale ${level}: pixels a second, service / bare loop`,
      measure: () => againstBareLoop(bench, order('upscale', level)),
    })),
    ...['low', 'high'].map((level) => ({
      name: `upscale ${level}: time of a tile, loops in JavaScript / in the graph`,
      measure: () => againstLoops(bench, level),
    })),
    {
      name: 'two jobs of 0.5 MP (upscale low): at once / one after the other',
      measure: () => twoAtOnce(bench, light, [800, 600]),
    },
    {
      name: 'two jobs of 0.5 MP (smooth_skin): at once / one after the other',
      measure: () => twoAtOnce(bench, order('smooth_skin', 'medium'), [800, 600]),
    },
    {
      name: 'two jobs of 12 MP (auto_enhance): at once / one after the other',
      measure: () => twoAtOnce(bench, codec, MP12),
    },
    {
      name: 'event loop of the worker, p99, while 12 MP are enlarged ×4',
      measure: () => eventLoop(bench, order('upscale', 'high')),
    },
  ];
}

/** Source pixels per second. For the bare loop, tiles are cut and the session is warm before the measurement. */
async function againstBareLoop({ rounds, catalog, client, worker }, order) {
  const file = await photo(...SIZE);
  const pixels = SIZE[0] * SIZE[1];
  const { url } = await client.upload(file);
  const { precision } = await client.enhance(url, order);
  const bare = await bareLoop(catalog.route(order.operation, order.level), precision, file);
  await bare.run();
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    const bareMs = await bare.run();
    const cpuBefore = cpuSeconds(worker.child.pid);
    const busyBefore = await worker.metric('ies_stage_run_seconds_sum');
    const sentAt = Date.now();
    const jobs = await Promise.all(Array.from({ length: JOBS }, () => client.enhance(url, order)));
    const serviceMs = Math.max(...jobs.map(endedAt)) - sentAt;
    const busyMs = ((await worker.metric('ies_stage_run_seconds_sum')) - busyBefore) * 1e3;
    const cpu = cpuSeconds(worker.child.pid) - cpuBefore;
    const bareCpu = process.cpuUsage();
    const next = await bare.run();
    const { user, system } = process.cpuUsage(bareCpu);
    // Measured before and after, so that gradual changes in the speed of the machine affect both.
    const bareMean = (bareMs + next) / 2;
    results.push({
      ratio: (bareMean * JOBS) / serviceMs,
      busy: busyMs / serviceMs,
      cpu: cpu / JOBS / ((user + system) / 1e6),
      service: (JOBS * pixels) / serviceMs / 1e3,
      bare: pixels / bareMean / 1e3,
    });
  }
  await bare.close();
  const of = (key) => median(results.map((result) => result[key]));
  const text =
    `in ${precision}, service ${of('service').toFixed(3)} MP/s, bare ${of('bare').toFixed(3)} MP/s; the service computed ` +
    `${of('busy').toFixed(2)} tiles at a time, its worker took ${of('cpu').toFixed(2)} × the processor time`;
  return { ...judge(of('ratio'), atLeast(0.85)), text };
}

async function bareLoop({ render, strength }, precision, file) {
  const [{ TileGrid }, { cutTile }] = await Promise.all([
    built('inference/tiling/tile-grid.js'),
    built('inference/tiling/cut-tile.js'),
  ]);
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  const image = { data, width: info.width, height: info.height, channels: 3 };
  const grid = new TileGrid(info.width, info.height, render.tile, render.halo);
  const tiles = [...grid.blocks({ wanted: 1, most: Infinity })].flatMap((block) => block.tiles);
  const session = await InferenceSession.create(fileOf(render, precision), SESSION);
  const feeds = tiles.map((tile) => {
    const all = {
      image: new Tensor('uint8', cutTile(image, tile.x - render.halo, tile.y - render.halo, grid.edge), [
        1,
        grid.edge,
        grid.edge,
        3,
      ]),
      strength: new Tensor('float32', [strength], [1]),
      window: new Tensor('float32', grid.window(tile), [1, 4]),
    };
    return Object.fromEntries(session.inputNames.map((name) => [name, all[name]]));
  });
  return {
    run: async () => {
      const startedAt = performance.now();
      for (const feed of feeds) await session.run(feed);
      return performance.now() - startedAt;
    },
    close: () => session.release(),
  };
}

async function againstLoops({ rounds, catalog }, level) {
  const { timesFaster, timesCheaper, loopMsPerTile } = await compareWithLoops(
    catalog.route('upscale', level).render,
    rounds,
  );
  const text = `processor time ${timesCheaper.toFixed(2)}; loops keep their thread for ${loopMsPerTile.toFixed(1)} ms of each tile, the graph for none`;
  return { ...judge(timesFaster, atLeast(1)), text };
}

/**
 * Alternates the order, because the speed of the machine may change gradually. One job already keeps the cores busy, so
 * the two ways differ little, and a single round says more about the machine than about the service. The verdict uses
 * the median of the rounds. The worst round, and the variation of the same work within the rounds, are shown, too.
 */
async function twoAtOnce({ roundsOfClose: rounds, client, worker }, order, size) {
  const { url } = await client.upload(await photo(...size));
  const enhance = () => client.enhance(url, order);
  const cpu = { inTurn: 0, atOnce: 0 };
  const costing = async (what, work) => {
    const before = cpuSeconds(worker.child.pid);
    const ms = await work();
    cpu[what] += cpuSeconds(worker.child.pid) - before;
    return ms;
  };
  const inTurn = async () => span([await enhance(), await enhance()]);
  const atOnce = async () => span(await Promise.all([enhance(), enhance()]));
  await enhance();
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await costing('inTurn', inTurn);
    const onceMs = await costing('atOnce', atOnce);
    const again = await costing('atOnce', atOnce);
    const after = await costing('inTurn', inTurn);
    results.push({
      ratio: (onceMs + again) / (before + after),
      onceMs,
      inTurnMs: before,
      itself: after / before,
    });
  }
  const of = (key) => median(results.map((result) => result[key]));
  const ratios = results.map(({ ratio }) => ratio);
  const text =
    `median of ${rounds} rounds, which were ${range(ratios)}; at once ${of('onceMs').toFixed(0)} ms, in turn ${of('inTurnMs').toFixed(0)} ms; ` +
    `processor time ${(cpu.atOnce / cpu.inTurn).toFixed(2)} ×; in turn against itself ${range(results.map(({ itself }) => itself))}`;
  return { ...judge(of('ratio'), atMost(1)), ratios, text };
}

async function eventLoop({ client, worker }, order) {
  const { url } = await client.upload(await photo(...MP12));
  await loopDelay(worker.child);
  const job = await client.enhance(url, order);
  const { p50Ms, p99Ms, maxMs } = await loopDelay(worker.child);
  const text = `ms; median ${p50Ms.toFixed(1)} ms, longest ${maxMs.toFixed(0)} ms, job ${((endedAt(job) - createdAt(job)) / 1000).toFixed(0)} s`;
  return { ...judge(p99Ms, under(50)), text };
}

const range = (values) => `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
/** Milliseconds from the first creation to the last end. */
const span = (jobs) => Math.max(...jobs.map(endedAt)) - Math.min(...jobs.map(createdAt));
const endedAt = (job) => Date.parse(job.completedAt);
const createdAt = (job) => Date.parse(job.createdAt);

function line({ name, text, ...judged }) {
  return `${name.padEnd(66)} ${judged.value.toFixed(2).padStart(7)} (${verdict(judged)})\n    ${text}\n`;
}
