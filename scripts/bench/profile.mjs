import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { namesWith } from './command-line.mjs';
import { JobClient } from './job-client.mjs';
import { photo } from './photo.mjs';
import { documentTable } from './documents/profile.mjs';
import { flameGraph } from './profile/flame-graph.mjs';
import { ThreadSampler } from './profile/thread-sampler.mjs';
import { openStage } from './stage.mjs';
import { startTraceSink } from './trace/sink.mjs';
import { startWarmWorker } from './worker/warm-worker.mjs';

const PROBE = pathToFileURL(join(import.meta.dirname, 'profile/profile-probe.mjs')).href;
const OPERATIONS = ['bg_remove', 'auto_enhance', 'smooth_skin', 'upscale'];
/**
 * Small jobs are short compared to the sampling interval, so several are added up. Warm-up jobs absorb one-time costs.
 */
const SIZES = [
  { name: 'small', size: [550, 830], format: 'png', warmJobs: 2, jobs: 10 },
  { name: '12 MP', size: [4000, 3000], format: 'jpeg', warmJobs: 1, jobs: 1 },
];
const PATIENCE_MS = 60_000;

/**
 * CPU time of a worker by the step of a job and by thread, for each operation and two sizes. `--flame DIR` also
 * writes a flame graph of the worker's main thread for each row, as SVG. `--markdown` prints tables for
 * docs/performance.md.
 */
export async function run({ json, markdown, only, flame }) {
  const wanted = namesWith(
    only,
    SIZES.flatMap(({ name }) => OPERATIONS.map((operation) => titleOf(operation, name))),
  );
  const collector = await startTraceSink();
  const stage = await openStage();
  try {
    // Otherwise the warm-up would count toward the first jobs.
    const { child } = await startWarmWorker(stage, {
      device: 'cpu',
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_BSP_SCHEDULE_DELAY: '200',
        LOG_LEVEL: 'error',
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${PROBE}`.trim(),
      },
    });
    const bench = { client: new JobClient(stage), collector, child, flame: flame && resolve(flame) };
    if (bench.flame) await mkdir(bench.flame, { recursive: true });
    const rows = [];
    for (const { name, ...input } of SIZES) {
      for (const operation of OPERATIONS) {
        const title = titleOf(operation, name);
        if (!wanted.includes(title)) continue;
        rows.push({
          title,
          operation,
          size: name,
          ...(await measure(bench, title, { operation, ...input })),
        });
        if (!json && !markdown) process.stdout.write(table(rows.at(-1)));
      }
    }
    if (json && !markdown) process.stdout.write(`${JSON.stringify(rows)}\n`);
    if (markdown)
      for (const { name } of SIZES)
        process.stdout.write(
          documentTable(
            name,
            rows.filter(({ size }) => size === name),
            only,
          ),
        );
  } finally {
    collector.close();
    await stage.close();
  }
}

function titleOf(operation, size) {
  return `${operation}, ${size}`;
}

async function measure(
  { client, collector, child, flame },
  title,
  { operation, size, format, warmJobs, jobs },
) {
  const { url } = await client.upload(await photo(...size));
  const background = operation === 'bg_remove' && format === 'jpeg' ? { background: '#ffffff' } : {};
  const output = { format, ...background };
  // A large upscale takes a minute at a higher level.
  const order = { operation, level: operation === 'upscale' ? 'low' : 'medium', output };
  for (let job = 0; job < warmJobs; job += 1) await client.enhance(url, order);
  if (flame) await askProbe(child, 'bench:profile-start');
  const sampler = new ThreadSampler(child.pid);
  const traceIds = [];
  for (let job = 0; job < jobs; job += 1) {
    const traceId = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
    const { id } = await client.ask('POST', '/api/ai/enhance', { sourceUrl: url, ...order }, headers);
    await client.ended(id);
    traceIds.push(traceId);
  }
  const samples = sampler.end();
  if (flame) await writeFlame(child, flame, title);
  const spans = (await Promise.all(traceIds.map((traceId) => stepsOf(collector, traceId)))).flat();
  return { jobs, ...addedUp(samples, spans, jobs) };
}

async function writeFlame(child, dir, title) {
  const { path } = await askProbe(
    child,
    'bench:profile-stop',
    join(dir, `${title.replaceAll(/\W+/g, '-')}.cpuprofile`),
  );
  const profile = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(
    path.replace(/cpuprofile$/, 'svg'),
    flameGraph(profile, `${title}: main thread of the worker`),
  );
}

function askProbe(child, type, path) {
  return new Promise((answer) => {
    const listen = (message) => {
      if (message.type !== type) return;
      child.off('message', listen);
      answer(message);
    };
    child.on('message', listen);
    child.send({ type, path });
  });
}

/** The direct children of the job's span. */
async function stepsOf(collector, traceId) {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const spans = collector.of(traceId);
    const job = spans.find(({ name }) => name.startsWith('enhance '));
    if (job !== undefined) return merged(spans.filter(({ parentSpanId }) => parentSpanId === job.spanId));
    if (performance.now() > endMs) throw new Error('a trace did not arrive');
    await sleep(100);
  }
}

/** The result is encoded while its thumbnail is made, so their samples cannot be told apart. */
function merged(spans) {
  const isBoth = ({ name }) => name === 'encode' || name === 'thumbnail';
  const both = spans.filter(isBoth);
  if (both.length === 0) return spans;
  const startMs = Math.min(...both.map((span) => span.startMs));
  const endMs = Math.max(...both.map((span) => span.endMs));
  return [...spans.filter((span) => !isBoth(span)), { name: 'encode, thumbnail', startMs, endMs }];
}

/** Milliseconds of one job: `steps` by step and thread, `wall` by step, and the sum. */
function addedUp(samples, spans, jobs) {
  const steps = {};
  const wall = {};
  for (const { name, startMs, endMs } of spans) wall[name] = (wall[name] ?? 0) + (endMs - startMs) / jobs;
  for (const { atMs, ms, thread } of samples) {
    const step = spans.find(({ startMs, endMs }) => startMs <= atMs && atMs <= endMs)?.name ?? 'between';
    steps[step] ??= {};
    steps[step][thread] = (steps[step][thread] ?? 0) + ms / jobs;
  }
  const cpuMs = samples.reduce((sum, { ms }) => sum + ms, 0) / jobs;
  return { cpuMs, steps, wall };
}

function table({ title, jobs, cpuMs, steps, wall }) {
  const threads = [...new Set(Object.values(steps).flatMap((step) => Object.keys(step)))].toSorted();
  const sum = (step) => Object.values(step).reduce((total, ms) => total + ms, 0);
  const cell = (value) => (value === undefined ? '' : value.toFixed(1)).padStart(17);
  const lines = Object.entries(steps)
    .toSorted(([, a], [, b]) => sum(b) - sum(a))
    .map(
      ([name, step]) =>
        `  ${name.padEnd(16)}${[wall[name], sum(step), ...threads.map((thread) => step[thread])].map(cell).join('')}\n`,
    );
  const head = ['wall ms', 'CPU ms', ...threads].map((text) => text.padStart(17)).join('');
  return `${title}: ${cpuMs.toFixed(0)} ms of CPU time per job (mean of ${jobs})\n  ${'step'.padEnd(16)}${head}\n${lines.join('')}\n`;
}
