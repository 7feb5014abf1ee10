// The two sides take turns, so that they do not compete for the cores and other load affects both equally.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../lib/built.mjs';
import { cleanupOnce } from '../lib/cleanup.mjs';
import { ROOT } from '../lib/paths.mjs';
import { installedTriton } from '../triton/triton-home.mjs';
import { drawnPicture } from './gpu/drawn-picture.mjs';
import { median } from './load.mjs';
import { TritonServer, useOnnxRuntimeFromPython } from '../triton/triton-server.mjs';

const ROUNDS = 3;

/** Measures every operation at every level, on a local Triton unless `url` names another server. */
export async function run({ json, url, operation, ...order }) {
  if (url === undefined && installedTriton() === undefined) {
    process.stderr.write('Triton is missing. Run "npm run triton:setup", or name a server with --url.\n');
    process.exit(2);
  }
  const home = await mkdtemp(join(tmpdir(), 'ies-bench-triton-'));
  let server;
  const close = cleanupOnce(async () => {
    await server?.close();
    await rm(home, { recursive: true, force: true });
  });
  try {
    const { local, remote } = await catalogs(home, operation);
    if (url === undefined) {
      await useOnnxRuntimeFromPython(join(home, 'repository'));
      server = new TritonServer({ repository: join(home, 'repository') });
      await server.start();
    }
    const rows = await measured({ local, remote, url: url ?? server.url, ...order }, (row) => {
      if (!json) print(row);
    });
    if (json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  } finally {
    await close();
  }
}

/** The committed models, once locally and once with all graphs on the server. */
async function catalogs(home, only) {
  const { loadCatalog } = await built('models/repository/load-catalog.js');
  const { exportVersion, writeRemoteVersion } = await built('cli/models/export/export-version.js');
  const local = await loadCatalog(join(ROOT, 'models'));
  for (const version of local.serving()) {
    if (only !== undefined && version.manifest.operation !== only) continue;
    const dir = join(home, 'repository');
    // As many instances with one thread each as the local engine has streams, and its precision.
    await exportVersion(version, { dir, precision: 'fp32', instances: availableParallelism() });
    await writeRemoteVersion(version, join(home, 'models'));
  }
  return { local, remote: await loadCatalog(join(home, 'models')) };
}

async function measured({ local, remote, url, pixels, levels, concurrency }, onRow) {
  const { Enhancer } = await built('inference/enhancer.js');
  const requests = concurrency ?? 2 * availableParallelism();
  const rows = [];
  for (const { operation } of remote.operations()) {
    for (const level of levels) {
      const start = (route) =>
        Enhancer.start({
          catalog: { routes: () => [route] },
          device: 'cpu',
          threads: 0,
          streams: availableParallelism(),
          precision: 'float32',
          triton: { urls: [url], timeoutMs: 120_000, concurrency: requests },
          onDeath: () => process.exit(1),
        });
      const sides = [];
      for (const route of [local.route(operation, level), remote.route(operation, level)])
        sides.push({ route, enhancer: await start(route), seconds: [] });
      rows.push({ operation, level, ...(await compared(sides, pixels)) });
      onRow(rows.at(-1));
      for (const { enhancer } of sides) await enhancer.close();
    }
  }
  return rows;
}

/** Alternates the two, so that other load affects both equally. */
async function compared(sides, pixels) {
  const height = Math.round(Math.sqrt(pixels * 0.75));
  const image = drawnPicture(Math.round(pixels / height), height);
  for (const side of sides) {
    await side.enhancer.warm();
    side.result = await once(side, image);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of sides) {
      const startedMs = performance.now();
      await once(side, image);
      side.seconds.push((performance.now() - startedMs) / 1_000);
    }
  }
  const [own, triton] = sides.map(({ seconds }) => (image.width * image.height) / 1e6 / median(seconds));
  const [a, b] = sides.map(({ result }) => result.data);
  return {
    ownMegapixelsPerSecond: Number(own.toFixed(3)),
    tritonMegapixelsPerSecond: Number(triton.toFixed(3)),
    largestDifference: a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at])), 0),
  };
}

async function once({ enhancer, route }, image) {
  const small = route.analyse && drawnPicture(route.analyse.size, route.analyse.size);
  return enhancer.render(route, image, small === null ? null : await enhancer.analyse(route, small));
}

function print({ operation, level, ownMegapixelsPerSecond: own, tritonMegapixelsPerSecond: triton, ...row }) {
  const share = Math.round((100 * triton) / own);
  process.stdout.write(
    `${operation} ${level}: own engine ${own} MP/s, Triton ${triton} MP/s (${share}%), at most ${row.largestDifference} of 255 apart\n`,
  );
}
