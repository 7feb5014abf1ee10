import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStage } from '../stage.mjs';
import { startWarmWorker } from '../worker/warm-worker.mjs';
import { unknown } from './pictures.mjs';

/**
 * Starts the service with one worker on the CPU. `send` posts a form with a picture and resolves to the bytes of the
 * result.
 */
export async function startService(modelsDir) {
  const env = { MODELS_DIR: modelsDir };
  const stage = await openStage({ api: env });
  try {
    const worker = await startWarmWorker(stage, { device: 'cpu', env });
    const database = Number(
      readFileSync(join(stage.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
    );
    return {
      pids: [stage.api.child.pid, worker.child.pid, database],
      close: stage.close,
      send: (path, jpeg, fields) =>
        post(`http://127.0.0.1:${stage.api.port}${path}`, stage.account.key, jpeg, fields),
    };
  } catch (error) {
    await stage.close();
    throw error;
  }
}

async function post(url, key, jpeg, fields) {
  const headers = { 'x-api-key': key, accept: 'image/*', prefer: 'wait=60' };
  return postPicture(url, unknown(jpeg), fields, headers);
}

/**
 * Posts a picture as `file`, with fields.
 * @throws Error unless the status is 200
 */
export async function postPicture(url, jpeg, fields, headers = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([jpeg], { type: 'image/jpeg' }), 'photo.jpg');
  const answer = await fetch(url, { method: 'POST', headers, body: form });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${bytes.toString().slice(0, 300)}`);
  return bytes;
}
