// The speed of the bare graphs by batch size: one `session.run` after the other over the same feeds, without the service.
// Prints JSON.
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST, ROOT } from '../lib/paths.mjs';
import { runScript } from '../lib/run-script.mjs';

// As the service sets it for its workers; read when the CUDA libraries load.
process.env.NVIDIA_TF32_OVERRIDE ??= '0';

const BATCHES = [1, 4, 16, 32];
const SECONDS = 0.4;
const WARM_RUNS = 3;
const built = (path) => import(pathToFileURL(join(DIST, path)).href);

await runScript({
  invocation: 'node scripts/gpu/graphs.mjs',
  description: 'Measures the bare graphs of models/ on a device, by precision and batch size.',
  declare: (program, { numberOption, repeatedOption }) =>
    program
      .requiredOption('--device <name>', 'device')
      .option('--stage <text>', 'only stages whose name contains this, such as upscale/1/x2-best', '')
      .option(
        '--batch <n>',
        'batch size; may be repeated',
        repeatedOption(numberOption('--batch', { from: 1, whole: true })),
      ),
  main: async ({ device, batch, stage }) => {
    process.stdout.write(`${JSON.stringify(await measureAll(device, batch ?? BATCHES, stage))}\n`);
  },
});

async function measureAll(device, batches, wanted) {
  const { loadCatalog } = await built('models/repository/load-catalog.js');
  const { deviceStages } = await built('inference/device-stages.js');
  const rows = [];
  for (const { ref, mapSets } of deviceStages(await loadCatalog(join(ROOT, 'models')))) {
    if (!ref.id.includes(wanted)) continue;
    const paths = { float32: ref.path, ...(ref.fp16 && { float16: ref.fp16.path }) };
    for (const [precision, path] of Object.entries(paths)) {
      const session = await InferenceSession.create(path, {
        executionProviders: [device],
        logSeverityLevel: 4,
      });
      for (const batch of batches) {
        const row = { stage: ref.id, precision, batch };
        rows.push({ ...row, ...(await measured(session, feedsOf(session, ref, mapSets[0], batch), ref)) });
      }
      await session.release();
    }
  }
  return rows;
}

function feedsOf(session, ref, maps, batch) {
  const edge = edgeOf(ref);
  const bytes = Uint8Array.from({ length: batch * edge * edge * 3 }, (_, at) => (at * 7 + (at >> 8)) & 255);
  const floats = (...dims) => {
    const values = Float32Array.from(
      { length: dims.reduce((a, b) => a * b, batch) },
      (_, at) => (at % 97) / 97,
    );
    return new Tensor('float32', values, [batch, ...dims]);
  };
  const all = {
    image: new Tensor('uint8', bytes, [batch, edge, edge, 3]),
    strength: new Tensor('float32', new Float32Array(batch).fill(0.5), [batch]),
    window: new Tensor(
      'float32',
      Float32Array.from({ length: batch * 4 }, (_, at) => (at % 4 < 2 ? 0.2 : 0.4)),
      [batch, 4],
    ),
    ...Object.fromEntries(Object.entries(maps).map(([name, dims]) => [name, floats(...dims)])),
  };
  return Object.fromEntries(session.inputNames.map((name) => [name, all[name]]));
}

function edgeOf(ref) {
  return ref.kind === 'analyse' ? ref.size : ref.tile + 2 * ref.halo;
}

/** Megapixels of the useful part of a tile, or runs of an analysis, per second. */
async function measured(session, feeds, ref) {
  try {
    for (let run = 0; run < WARM_RUNS; run += 1) await session.run(feeds);
    const startedMs = performance.now();
    let runs = 0;
    while (performance.now() - startedMs < SECONDS * 1e3 || runs < 2) {
      await session.run(feeds);
      runs += 1;
    }
    const ms = (performance.now() - startedMs) / runs;
    const batch = Object.values(feeds)[0].dims[0];
    const speed =
      ref.kind === 'analyse'
        ? { imagesPerSecond: Number(((batch * 1e3) / ms).toFixed(1)) }
        : { megapixelsPerSecond: Number(((batch * ref.tile ** 2) / 1e3 / ms).toFixed(2)) };
    return { msPerRun: Number(ms.toFixed(2)), ...speed };
  } catch (error) {
    return { fault: error.message.split('\n')[0].slice(0, 300) };
  }
}
