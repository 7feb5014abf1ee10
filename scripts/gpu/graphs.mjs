// The speed of the bare graphs by batch size: one run after the other over the same feeds, without the service. Opens
// the graphs as a worker does, and writes the results of render stages into the same memory, too. Prints JSON.
import { join } from 'node:path';
import { built } from '../lib/built.mjs';
import { MeasuredRows } from '../bench/gpu/measured-rows.mjs';
import { ROOT } from '../lib/paths.mjs';
import { runScript } from '../lib/run-script.mjs';

// As the service sets it for its workers; read when the CUDA libraries load.
process.env.NVIDIA_TF32_OVERRIDE ??= '0';

const BATCHES = [1, 4, 16, 32];
const SECONDS = 0.4;
const WARM_RUNS = 3;

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
    await measureAll(device, batch ?? BATCHES, stage);
  },
});

async function measureAll(device, batches, wanted) {
  const { loadCatalog } = await built('models/repository/load-catalog.js');
  const { deviceStages } = await built('inference/device-stages.js');
  const { OnnxEngine } = await built('inference/engines/onnx-engine.js');
  const rows = new MeasuredRows();
  for (const { ref, mapSets } of deviceStages(await loadCatalog(join(ROOT, 'models')))) {
    if (!ref.id.includes(wanted)) continue;
    for (const precision of ref.fp16 === undefined ? ['float32'] : ['float32', 'float16']) {
      const engine = new OnnxEngine({ provider: device, threads: 0, isGuess: false, precision });
      const row = { stage: ref.id, precision };
      const graph = await engine.load(ref).catch(faultOf);
      if (graph.fault !== undefined) {
        rows.add({ ...row, ...graph });
        continue;
      }
      for (const batch of batches)
        rows.add({ ...row, batch, ...(await measured(graph, feedsOf(graph, ref, mapSets[0], batch), ref)) });
      await graph.release();
    }
  }
}

function feedsOf(graph, ref, maps, batch) {
  const edge = edgeOf(ref);
  const bytes = Uint8Array.from({ length: batch * edge * edge * 3 }, (_, at) => (at * 7 + (at >> 8)) & 255);
  const floats = (...dims) => {
    const values = Float32Array.from(
      { length: dims.reduce((a, b) => a * b, batch) },
      (_, at) => (at % 97) / 97,
    );
    return { type: 'float32', data: values, dims: [batch, ...dims] };
  };
  const all = {
    image: { type: 'uint8', data: bytes, dims: [batch, edge, edge, 3] },
    strength: { type: 'float32', data: new Float32Array(batch).fill(0.5), dims: [batch] },
    window: {
      type: 'float32',
      data: Float32Array.from({ length: batch * 4 }, (_, at) => (at % 4 < 2 ? 0.2 : 0.4)),
      dims: [batch, 4],
    },
    ...Object.fromEntries(Object.entries(maps).map(([name, dims]) => [name, floats(...dims)])),
  };
  return Object.fromEntries(graph.inputNames.map((name) => [name, all[name]]));
}

function edgeOf(ref) {
  return ref.kind === 'analyse' ? ref.size : ref.tile + 2 * ref.halo;
}

/** Megapixels of the useful part of a tile, or runs of an analysis, per second. */
async function measured(graph, feeds, ref) {
  try {
    // An analysis gets new memory for its outputs, as in the service.
    let results;
    for (let run = 0; run < WARM_RUNS; run += 1) {
      const outputs = await graph.run(feeds, undefined, results);
      if (ref.kind === 'render') results = outputs;
    }
    const startedMs = performance.now();
    let runs = 0;
    while (performance.now() - startedMs < SECONDS * 1e3 || runs < 2) {
      await graph.run(feeds, undefined, results);
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
    return faultOf(error);
  }
}

function faultOf(error) {
  return { fault: error.message.split('\n')[0].slice(0, 300) };
}
