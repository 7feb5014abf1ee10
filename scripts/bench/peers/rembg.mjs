import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { built } from '../../lib/built.mjs';
import { cleanupOnce } from '../../lib/cleanup.mjs';
import { ROOT } from '../../lib/paths.mjs';
import { PEERS } from '../../peers/tools.mjs';
import { postPicture } from './service.mjs';

/** Importing its packages takes seconds, and much longer on a busy machine. */
const START_MS = 120_000;

/**
 * rembg's HTTP server with the network of the service's `bg_remove`, extracted from its graph.
 * @param {string} folder where the network is written
 * @throws Error when it does not start
 */
export async function startRembg(folder) {
  const network = join(folder, 'network.onnx');
  const source = join(ROOT, 'models', 'bg_remove', '1', 'subject-320.onnx');
  const { status, stderr } = spawnSync(PEERS.python, [
    join(import.meta.dirname, 'network.py'),
    source,
    network,
  ]);
  if (status !== 0) throw new Error(`network.py: ${String(stderr)}`);
  const { freePort } = await built('infra/database/embedded/free-port.js');
  const port = await freePort();
  const args = ['s', '--host', '127.0.0.1', '--port', String(port), '--log_level', 'error', '--no-ui'];
  const child = spawn(PEERS.rembg, args, { stdio: 'ignore', env: { ...process.env, U2NET_HOME: folder } });
  const close = cleanupOnce(() => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilItAnswers(url, child);
  } catch (error) {
    await close();
    throw error;
  }
  const extras = encodeURIComponent(JSON.stringify({ model_path: network }));
  return {
    pids: [child.pid],
    close,
    send: (jpeg) => postPicture(`${url}/api/remove?extras=${extras}`, jpeg, { model: 'u2net_custom' }),
  };
}

async function untilItAnswers(url, child) {
  const lateMs = performance.now() + START_MS;
  while ((await fetch(url).catch(() => undefined)) === undefined) {
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`rembg ended with ${end}`);
    if (performance.now() > lateMs) throw new Error(`rembg did not answer within ${START_MS / 1000} s`);
    await sleep(200);
  }
}
