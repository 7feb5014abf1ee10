import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { DIST, ROOT } from '../../lib/paths.mjs';
import { PEERS } from '../../peers/tools.mjs';
import { postPicture } from './service.mjs';

/**
 * rembg's HTTP server with the network of our `bg_remove`, which is cut out of the product's graph.
 * @param {string} folder where the network is written
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
  const { freePort } = await import(pathToFileURL(join(DIST, 'infra/database/embedded/free-port.js')).href);
  const port = await freePort();
  const args = ['s', '--host', '127.0.0.1', '--port', String(port), '--log_level', 'error', '--no-ui'];
  const child = spawn(PEERS.rembg, args, { stdio: 'ignore', env: { ...process.env, U2NET_HOME: folder } });
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(url).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`rembg ended with ${child.exitCode}`);
    await sleep(200);
  }
  const extras = encodeURIComponent(JSON.stringify({ model_path: network }));
  return {
    pids: [child.pid],
    close: () => child.kill('SIGKILL'),
    send: (jpeg) => postPicture(`${url}/api/remove?extras=${extras}`, jpeg, { model: 'u2net_custom' }),
  };
}
