// `npm run gpu:kit`: packs everything that a GPU machine without a network needs to test the service; see docs/gpu.md.
import { resolve } from 'node:path';
import { packKit } from './gpu/pack-kit.mjs';
import { ROOT } from './lib/paths.mjs';
import { runScript } from './lib/run-script.mjs';
import { setup } from './lib/setup.mjs';

await runScript({
  invocation: 'npm run gpu:kit --',
  description:
    'Packs Node.js, the built service, its packages, the Vulkan loader and the CUDA provider of ONNX Runtime into parts that can be copied to a machine without a network one by one. There, scripts/gpu/run.sh unpacks them and runs every GPU test. Groups whose files have not changed are not packed again.',
  declare: (program, { numberOption }) =>
    program
      .option('--folder <path>', 'folder for the parts', 'out/gpu-kit')
      .option(
        '--part-mib <n>',
        'size of a part, MiB',
        numberOption('--part-mib', { from: 1, whole: true }),
        24,
      )
      .option(
        '--compute-capability <n>',
        'pack the CUDA code for this GPU only, such as 9.0 (nvidia-smi --query-gpu=compute_cap --format=csv)',
        numberOption('--compute-capability', { above: 0 }),
      )
      .option('--without-cuda', 'leave out the CUDA provider (about 180 MB packed)'),
  main: async ({ folder, partMib, computeCapability, withoutCuda }) => {
    await setup();
    await packKit({
      folder: resolve(ROOT, folder),
      partBytes: partMib * 2 ** 20,
      withCuda: withoutCuda !== true,
      capability: computeCapability === undefined ? undefined : Math.round(computeCapability * 10),
      say: (text) => process.stdout.write(`${text}\n`),
    });
  },
});
