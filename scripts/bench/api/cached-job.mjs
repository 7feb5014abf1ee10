import { once } from 'node:events';
import { JobClient } from '../job-client.mjs';
import { compareAll, load } from '../load.mjs';

const ROUNDS = 5;

/**
 * Compares creating a job that gets a cached result with reading that job, and with the minimum cost of a durable
 * creation: a bare Fastify route that inserts one row. Sends one request at a time.
 * @param {{ url: string }} source an upload
 * @param {string} bareUrl of the bare route
 * @returns medians of the three, and the ratios of the first to the others
 */
export async function compareCachedJob(stage, source, bareUrl) {
  const client = new JobClient(stage);
  const order = { operation: 'upscale', cache: true };
  const { child } = await stage.startWorker({ INFERENCE_DEVICE: 'cpu' });
  const first = await client.enhance(source.url, order);
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  const url = `${client.base}/api/ai/enhance`;
  const headers = { 'content-type': 'application/json', ...client.headers };
  const body = JSON.stringify({ sourceUrl: source.url, ...order });
  const many = { headers, count: 400, concurrency: 1 };
  const hit = () => load({ ...many, url, method: 'POST', body, expect: 201 });
  const read = () => load({ ...many, url: `${url}/${first.id}`, expect: 200 });
  const insert = () => load({ ...many, url: bareUrl, method: 'POST', body, expect: 201 });
  const last = await client.create(source.url, order);
  if (last.cached !== true) throw new Error(`no result was reused: ${JSON.stringify(last)}`);
  for (const warmUp of [hit, hit, read, read, insert, insert]) await warmUp();
  return compareAll(ROUNDS, [hit, read, insert]);
}
