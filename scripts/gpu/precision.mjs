// Compares the results of the whole service on a device, in each precision, with those of the CPU in float32. Prints
// JSON.
import sharp from 'sharp';
import { JobClient } from '../bench/job-client.mjs';
import { difference } from '../bench/gpu/difference.mjs';
import { MeasuredRows } from '../bench/gpu/measured-rows.mjs';
import { photo } from '../bench/photo.mjs';
import { openStage } from '../bench/stage.mjs';
import { startWarmWorker } from '../bench/worker/warm-worker.mjs';
import { runScript } from '../lib/run-script.mjs';
import { setup } from '../lib/setup.mjs';

const SIZE = [640, 480];
const LEVELS = ['low', 'medium', 'high'];
const OPERATIONS = ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove'];
const PRECISIONS = ['float32', 'float16'];

await runScript({
  invocation: 'node scripts/gpu/precision.mjs',
  description:
    'Compares the results of a device with those of the CPU for each operation, level and precision.',
  declare: (program) => program.requiredOption('--device <name>', 'device to compare'),
  main: async ({ device }) => {
    await setup();
    await compareAll(device);
  },
});

async function compareAll(device) {
  const source = await photo(...SIZE);
  const reference = await resultsOf(source, { device: 'cpu', precision: 'float32' });
  const rows = new MeasuredRows();
  for (const precision of PRECISIONS) {
    const results = await resultsOf(source, { device, precision });
    for (const [name, { job, pixels }] of results)
      rows.add({
        name,
        asked: precision,
        device: job.device,
        precision: job.precision,
        ...difference(pixels, reference.get(name).pixels, 4),
      });
  }
}

/** The results of every operation at every level, by `operation level`. */
async function resultsOf(source, { device, precision }) {
  const stage = await openStage();
  try {
    await startWarmWorker(stage, { device, env: { PRECISION: precision } });
    const client = new JobClient(stage);
    const { url } = await client.upload(source);
    const results = new Map();
    for (const operation of OPERATIONS)
      for (const level of LEVELS) {
        const job = await client.enhance(url, { operation, level, output: { format: 'png' }, cache: false });
        const file = await client.result(job);
        results.set(`${operation} ${level}`, {
          job,
          pixels: await sharp(file).ensureAlpha().raw().toBuffer(),
        });
      }
    return results;
  } finally {
    await stage.close();
  }
}
