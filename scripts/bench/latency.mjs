import { performance } from 'node:perf_hooks';
import { namesWith } from './command-line.mjs';
import { JobClient } from './job-client.mjs';
import { median } from './load.mjs';
import { photo } from './photo.mjs';
import { openStage } from './stage.mjs';
import { atMost, judge, verdict } from './verdict.mjs';
import { startWarmWorker } from './worker/warm-worker.mjs';

const SIZE = [4000, 3000];
const ROUNDS = 5;
const OPERATIONS = ['smooth_skin', 'auto_enhance', 'bg_remove'];
/** Maximum duration of a job in seconds, by format of the result. */
const TARGETS = { jpeg: 1.2, png: 2 };
const KINDS = OPERATIONS.flatMap((operation) =>
  Object.keys(TARGETS).map((format) => ({ name: `${operation}, ${format}`, operation, format })),
);
/** JPEG has no transparency. */
const BACKGROUND = '#ffffff';

/**
 * Measures the seconds from the request for a job on a 12 MP photo to its end, at medium level, while the service is
 * otherwise idle. The photo is uploaded before. Takes the median of several rounds after one warm-up.
 */
export async function run({ json, only }) {
  const wanted = namesWith(
    only,
    KINDS.map(({ name }) => name),
  );
  const stage = await openStage();
  try {
    await startWarmWorker(stage, { device: 'cpu' });
    const client = new JobClient(stage);
    const { url } = await client.upload(await photo(...SIZE));
    const rows = [];
    for (const { name, operation, format } of KINDS)
      if (wanted.includes(name)) rows.push({ name, ...(await measure(client, url, operation, format)) });
    process.stdout.write(json ? `${JSON.stringify({ rows }, null, 2)}\n` : rows.map(line).join(''));
    return rows;
  } finally {
    await stage.close();
  }
}

async function measure(client, sourceUrl, operation, format) {
  const background = operation === 'bg_remove' && format === 'jpeg' ? BACKGROUND : null;
  const order = { operation, level: 'medium', output: { format, background }, cache: false };
  await client.enhance(sourceUrl, order);
  const seconds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await client.enhance(sourceUrl, order);
    seconds.push((performance.now() - startedAt) / 1000);
  }
  return { ...judge(median(seconds), atMost(TARGETS[format])), seconds };
}

function line({ name, value, seconds, ...target }) {
  const range = `${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)}`;
  return `${name.padEnd(20)} ${value.toFixed(2).padStart(6)} s  (${range}; ${verdict(target)})\n`;
}
