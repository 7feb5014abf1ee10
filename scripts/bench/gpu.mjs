// Each row runs in a separate process, because the runtime keeps the memory of released sessions and WebGPU supports
// only one session at a time.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { built } from '../lib/built.mjs';
import { ROOT } from '../lib/paths.mjs';
import { difference } from './gpu/difference.mjs';
import { MeasuredRows } from './gpu/measured-rows.mjs';

const LEVELS = ['low', 'medium', 'high'];

/** Runs every operation at every level, with each batch size. */
export async function run({ json, device: given, pixels, batches, operation: only }) {
  const { loadCatalog } = await built('models/repository/load-catalog.js');
  const modelsDir = join(ROOT, 'models');
  const device = given ?? process.env.INFERENCE_DEVICE ?? 'auto';
  const rows = new MeasuredRows(json ? undefined : print);
  for (const { operation } of (await loadCatalog(modelsDir)).operations()) {
    if (only !== undefined && operation !== only) continue;
    for (const level of LEVELS) {
      const order = { modelsDir, operation, level, pixels };
      let reference;
      for (const batch of batches) {
        const row = await inProcess({ ...order, device, precision: 'auto', batch });
        // A device that does not work is compared with nothing.
        if (row.fault === undefined)
          reference ??= await inProcess({ ...order, device: 'cpu', precision: 'float32', batch: 1 });
        rows.add({ operation, level, batch, ...compared(row, reference) });
      }
    }
  }
}

function compared({ fault, result, ...row }, reference) {
  if (fault !== undefined) return { fault };
  if (reference.fault !== undefined) return { ...row, fault: `on the CPU: ${reference.fault}` };
  const { fault: sizes, largest, mean } = difference(result.data, reference.result.data, result.channels);
  if (sizes !== undefined) return { ...row, fault: sizes };
  return {
    ...row,
    timesCpu: Number((row.megapixelsPerSecond / reference.megapixelsPerSecond).toFixed(2)),
    largestDifference: largest,
    meanDifference: mean,
  };
}

function print({ operation, level, batch, ...rest }) {
  const said =
    rest.fault ??
    `${rest.device}: ${rest.megapixelsPerSecond} MP/s, ${rest.timesCpu} × the CPU in float32, at most ${rest.largestDifference} of 255 from it`;
  process.stdout.write(`${operation} ${level} batch ${batch}: ${said}\n`);
}

async function inProcess(order) {
  const { workerEnvironment } = await built('config/child-environment.js');
  const child = fork(fileURLToPath(new URL('gpu/row.mjs', import.meta.url)), [], {
    execArgv: [],
    env: workerEnvironment({}),
    // Results have millions of bytes.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', resolve);
    // Not at 'exit': a large message may still be on its way.
    child.once('close', (code, signal) => resolve({ fault: `ended by ${signal ?? `exit code ${code}`}` }));
    child.send(order);
  });
}
