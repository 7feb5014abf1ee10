// Each row runs in a separate process, because the runtime keeps the memory of released sessions and WebGPU supports
// only one session at a time.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST, ROOT } from '../lib/paths.mjs';

const LEVELS = ['low', 'medium', 'high'];
const built = (path) => import(pathToFileURL(join(DIST, path)).href);

/** Runs every operation at every level, with each batch size. */
export async function run({ json, device: given, pixels, batches, operation: only }) {
  const { loadCatalog } = await built('models/repository/load-catalog.js');
  const modelsDir = join(ROOT, 'models');
  const device = given ?? process.env.INFERENCE_DEVICE ?? 'auto';
  const rows = [];
  for (const { operation } of (await loadCatalog(modelsDir)).operations()) {
    if (only !== undefined && operation !== only) continue;
    for (const level of LEVELS) {
      const order = { modelsDir, operation, level, pixels };
      const reference = await inProcess({ ...order, device: 'cpu', batch: 1, check: true });
      for (const batch of batches) {
        const row = await inProcess({ ...order, device, batch, check: true });
        rows.push({ operation, level, batch, ...compared(row, reference) });
        if (!json) print(rows.at(-1));
      }
    }
  }
  if (json) process.stdout.write(`${JSON.stringify(rows)}\n`);
}

function compared(row, reference) {
  if (row.fault !== undefined) return { fault: row.fault };
  const { device, megapixelsPerSecond } = row;
  const differences = row.sample.map((value, index) => Math.abs(value - reference.sample[index]));
  return {
    device,
    megapixelsPerSecond,
    timesCpu: Number((megapixelsPerSecond / reference.megapixelsPerSecond).toFixed(2)),
    largestDifference: Math.max(...differences),
  };
}

function print({ operation, level, batch, ...rest }) {
  const said =
    rest.fault ??
    `${rest.device}: ${rest.megapixelsPerSecond} MP/s, ${rest.timesCpu} × the CPU, at most ${rest.largestDifference} of 255 from it`;
  process.stdout.write(`${operation} ${level} batch ${batch}: ${said}\n`);
}

async function inProcess(order) {
  const { workerEnvironment } = await built('config/child-environment.js');
  const child = fork(fileURLToPath(new URL('gpu/row.mjs', import.meta.url)), [], {
    execArgv: [],
    env: workerEnvironment({}),
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', resolve);
    child.once('exit', (code, signal) => resolve({ fault: `ended by ${signal ?? `exit code ${code}`}` }));
    child.send(order);
  });
}
