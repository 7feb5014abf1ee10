import { setTimeout as sleep } from 'node:timers/promises';
import { compareAll, load, send } from '../load.mjs';

const ROUNDS = 5;

/**
 * Compares creating a job that gets a cached result with reading that job, and with the minimum cost of a durable
 * creation: a bare Fastify route that inserts one row. Sends one request at a time.
 * @param {{ url: string }} source an upload
 * @param {string} bareUrl of the bare route
 * @returns medians of the three, and the ratios of the first to the others
 */
export async function compareCachedJob(stage, source, bareUrl) {
  const { account, api } = stage;
  const url = `http://127.0.0.1:${api.port}/api/ai/enhance`;
  const headers = { 'content-type': 'application/json', 'x-api-key': account.key };
  const body = JSON.stringify({ sourceUrl: source.url, operation: 'upscale', cache: true });
  const { child } = await stage.startWorker({ INFERENCE_DEVICE: 'cpu' });
  const first = JSON.parse((await send({ url, method: 'POST', headers, body })).text);
  for (let status = first.status; status !== 'completed'; await sleep(50)) {
    const answer = JSON.parse((await send({ url: `${url}/${first.id}`, headers })).text);
    if (answer.status === 'failed') throw new Error(`the job failed: ${JSON.stringify(answer.error)}`);
    status = answer.status;
  }
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
  const many = { headers, count: 400, concurrency: 1 };
  const hit = () => load({ ...many, url, method: 'POST', body, expect: 201 });
  const read = () => load({ ...many, url: `${url}/${first.id}`, expect: 200 });
  const insert = () => load({ ...many, url: bareUrl, method: 'POST', body, expect: 201 });
  const last = JSON.parse((await send({ url, method: 'POST', headers, body })).text);
  if (last.cached !== true) throw new Error(`no result was reused: ${JSON.stringify(last)}`);
  for (const warmUp of [hit, hit, read, read, insert, insert]) await warmUp();
  return compareAll(ROUNDS, [hit, read, insert]);
}
