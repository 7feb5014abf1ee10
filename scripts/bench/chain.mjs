import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { JobClient } from './job-client.mjs';
import { median } from './load.mjs';
import { photo } from './photo.mjs';
import { openStage } from './stage.mjs';
import { atMost, judge, remark } from './verdict.mjs';

const SIZE = [1_600, 1_200];
const STEPS = [
  { operation: 'auto_enhance', level: 'medium' },
  { operation: 'smooth_skin', level: 'medium' },
  { operation: 'upscale', level: 'low' },
];
const ROUNDS = 7;

/**
 * Compares a chain of three operations with three jobs that each work on the previous result, alternately. The verdict
 * is about the inference time. The total also shows the cost of the decodes and encodes in between.
 */
export async function run({ json }) {
  const env = { LOG_LEVEL: 'error', MODELS_DIR: join(ROOT, 'models') };
  const stage = await openStage({ api: env });
  try {
    await stage.startWorker({ ...env, INFERENCE_DEVICE: 'cpu' });
    const rows = await measure(new JobClient(stage));
    process.stdout.write(json ? `${JSON.stringify(rows)}\n` : table(rows));
    return rows;
  } finally {
    await stage.close();
  }
}

async function measure(client) {
  const { url } = await client.upload(await photo(...SIZE));
  const rounds = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const chain = timesOf(await client.enhance(url, { operations: STEPS }));
    const singles = await oneByOne(client, url);
    // The first round warms up the models.
    if (round >= 0) rounds.push({ chain, singles });
  }
  const ratio = (key) => median(rounds.map(({ chain, singles }) => chain[key] / singles[key]));
  return [
    { what: 'inference: chain / its operations one by one', ...judge(ratio('inferenceMs'), atMost(1.02)) },
    { what: 'work of the worker: chain / its operations one by one', value: ratio('workMs') },
  ];
}

/** Each operation as a separate job, on the result of the previous one. */
async function oneByOne(client, url) {
  const sum = { inferenceMs: 0, workMs: 0 };
  let source = url;
  for (const step of STEPS) {
    const job = await client.enhance(source, { ...step, output: { format: 'png' } });
    const { inferenceMs, workMs } = timesOf(job);
    sum.inferenceMs += inferenceMs;
    sum.workMs += workMs;
    source = (await client.upload(await client.result(job))).url;
  }
  return sum;
}

function timesOf({ timings: { inferenceMs, queuedMs, totalMs } }) {
  return { inferenceMs, workMs: totalMs - queuedMs };
}

function table(rows) {
  const lines = rows.map(({ what, ...judged }) => {
    return `${what.padEnd(56)} ${judged.value.toFixed(3)} ×${remark(judged)}\n`;
  });
  return lines.join('');
}
