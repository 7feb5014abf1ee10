import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { cleanupOnce } from '../lib/cleanup.mjs';
import { built } from '../lib/built.mjs';
import { atMost, judge, verdict } from './verdict.mjs';

/** Sizes of the cutouts. */
const SIZES = [
  [4000, 3000],
  [8660, 5773],
];
const ROUNDS = 7;
/** Maximum time between two turns of the event loop, milliseconds, as for a request body. */
const LOOP_MS = 50;
const SHADOW = { opacity: 0.4, blur: 0.02, offsetX: 0.01, offsetY: 0.03 };
/** The output options of a client, by row name. */
const ORDERS = {
  'cropped, with a shadow': { kind: 'image', cropPadding: 0.1, shadow: SHADOW, background: null },
  mask: { kind: 'mask', cropPadding: null, shadow: null, background: null },
  edges: { kind: 'edges', cropPadding: null, shadow: null, background: null },
};

/**
 * Measures the alpha processing of a cutout, which every `bg_remove` job does once (`matte`), and that of optional
 * output settings. Takes the median of several rounds. `loop` is the longest delay of the event loop in any of them.
 */
export async function run({ json }) {
  const library = await loadLibrary();
  const dir = await mkdtemp(join(tmpdir(), 'ies-bench-finish-'));
  const removeDir = cleanupOnce(() => rm(dir, { recursive: true }));
  try {
    const rows = [];
    for (const [width, height] of SIZES) rows.push(...(await measure(library, dir, width, height)));
    process.stdout.write(json ? `${JSON.stringify({ rows }, null, 2)}\n` : page(rows));
    return rows;
  } finally {
    await removeDir();
  }
}

async function loadLibrary() {
  const names = [
    'infra/image/codec/pixel-file.js',
    'infra/image/finish/matte.js',
    'infra/image/finish/finish-picture.js',
  ];
  return Object.assign({}, ...(await Promise.all(names.map(built))));
}

async function measure({ PixelFile, readMatte, finishPicture }, dir, width, height) {
  const shape = { width, height, channels: 4 };
  const cutout = join(dir, 'cutout.tif');
  await (await drawn(PixelFile, cutout, shape)).close();
  const row = async (name, work) => ({
    width,
    height,
    name,
    ...(await timed(() => work(PixelFile, cutout, shape))),
  });
  const rows = [await row('matte', (files, path) => withFile(files, path, shape, readMatte))];
  for (const [name, order] of Object.entries(ORDERS)) {
    const finish = async (source) => {
      const room = {
        path: (file) => join(dir, file),
        kept: (file) => file,
        signal: new AbortController().signal,
      };
      // On success, the work removes its source, but the next round needs it.
      const kept = Object.assign(Object.create(source), { remove: () => Promise.resolve() });
      const { picture } = await finishPicture(kept, await readMatte(source), order, room);
      await picture.remove();
    };
    rows.push(await row(name, (files, path) => withFile(files, path, shape, finish)));
  }
  await rm(cutout);
  return rows;
}

async function withFile(PixelFile, path, shape, work) {
  const file = await PixelFile.adopt(path, shape);
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

/** A disk with a soft edge. */
async function drawn(PixelFile, path, { width, height, channels }) {
  const file = await PixelFile.create(path, { width, height, channels });
  const [radius, edge] = [height / 3, height / 75];
  for (let y = 0; y < height; y++) {
    const row = new Uint8Array(width * channels);
    for (let x = 0; x < width; x++) {
      const beyond = Math.hypot(x - width / 2, y - height / 2) - radius;
      row.set([200, 120, 80, Math.round(255 * Math.min(1, Math.max(0, 1 - beyond / edge)))], x * channels);
    }
    await file.write({ x: 0, y, width, height: 1 }, row);
  }
  await file.seal();
  return file;
}

async function timed(work) {
  await work();
  const times = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let round = 0; round < ROUNDS; round++) {
    const cpu = process.cpuUsage();
    const from = performance.now();
    const active = performance.eventLoopUtilization();
    await work();
    const { user, system } = process.cpuUsage(cpu);
    times.push({
      wallMs: performance.now() - from,
      mainMs: performance.eventLoopUtilization(active).active,
      cpuMs: (user + system) / 1_000,
    });
  }
  delay.disable();
  const median = (key) => times.map((time) => time[key]).toSorted((a, b) => a - b)[ROUNDS >> 1];
  const medians = Object.fromEntries(['wallMs', 'mainMs', 'cpuMs'].map((key) => [key, median(key)]));
  return { ...medians, loop: judge(delay.max / 1e6, atMost(LOOP_MS)) };
}

function page(rows) {
  const head = 'size           work                      wall     main thread   CPU      loop, longest\n';
  const ms = (value) => `${value.toFixed(1)} ms`.padEnd(10);
  const lines = rows.map(
    ({ width, height, name, wallMs, mainMs, cpuMs, loop }) =>
      `${`${width} × ${height}`.padEnd(14)} ${name.padEnd(24)} ${ms(wallMs)} ${ms(mainMs)}  ${ms(cpuMs)} ${ms(loop.value)} ${verdict(loop)}\n`,
  );
  return `${head}${lines.join('')}`;
}
