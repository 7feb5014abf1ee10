import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { built } from '../../lib/built.mjs';
import { ROOT } from '../../lib/paths.mjs';

/**
 * Starts a worker of a bench stage on a device and waits until its models are warm.
 * @returns {Promise<{ child: import('node:child_process').ChildProcess, metric: (name: string) => Promise<number> }>}
 * `metric` returns the sum of all series of a metric
 */
export async function startWarmWorker(stage, { device, env = {} }) {
  const { freePort } = await built('infra/database/embedded/free-port.js');
  const port = await freePort();
  const { child } = await stage.startWorker({
    LOG_LEVEL: 'warn',
    INFERENCE_DEVICE: device,
    MODELS_DIR: join(ROOT, 'models'),
    WORKER_PORT: String(port),
    ...env,
  });
  const metric = async (name) => {
    const series = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n');
    const mine = series.filter((text) => text.startsWith(`${name}{`) || text.startsWith(`${name} `));
    return mine.reduce((sum, text) => sum + Number(text.slice(text.lastIndexOf(' '))), 0);
  };
  while ((await metric('ies_worker_warm')) !== 1) await sleep(200);
  return { child, metric };
}
