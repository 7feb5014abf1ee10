import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DIST, ROOT } from '../lib/paths.mjs';
import { JobClient } from './job-client.mjs';
import { photo } from './photo.mjs';
import { openStage } from './stage.mjs';
import { tracePicture } from './trace/picture.mjs';
import { startTraceSink } from './trace/sink.mjs';
import { startSink } from './webhooks/sink.mjs';
import { WebhookSeed } from './webhooks/seed.mjs';

const SIZE = [1_600, 1_200];
const ORDER = { operation: 'auto_enhance', level: 'medium' };
const PATIENCE_MS = 60_000;
/** Events of a completed job, including aliases, at an endpoint that subscribes to all. */
const EVENTS = 4;
/** A complete trace contains these spans: of each role, the one that ends last. */
const LAST = ['POST /api/ai/enhance', 'enhance auto_enhance', 'webhook attempt'];

/**
 * Traces one job through all roles, with a webhook, and shows where its time was spent. Prints the spans, and with
 * `--picture FILE` draws them (docs/trace.svg).
 */
export async function run({ json, picture }) {
  const [collector, receiver] = await Promise.all([startTraceSink(), startSink()]);
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'error',
    MODELS_DIR: join(ROOT, 'models'),
  };
  const stage = await openStage({ api: env });
  const database = new pg.Client({ connectionString: stage.databaseUrl });
  try {
    await database.connect();
    const seed = await WebhookSeed.open(database, stage.dataDir, stage.account.id);
    await stage.startWorker({ ...env, INFERENCE_DEVICE: 'cpu' });
    await stage.start(join(DIST, 'main.dispatcher.js'), env);
    await seed.endpoints([receiver.url('/hook')]);
    const spans = await traceOf(stage, collector);
    if (picture !== undefined)
      await writeFile(
        resolve(picture),
        tracePicture(spans, `One job: auto_enhance of ${SIZE.join(' × ')} pixels`),
      );
    process.stdout.write(json ? `${JSON.stringify(spans)}\n` : table(spans));
  } finally {
    await database.end();
    collector.close();
    receiver.close();
    await stage.close();
  }
}

/** Traces the second of two jobs, because the first one includes one-time costs. */
async function traceOf(stage, collector) {
  const client = new JobClient(stage);
  const { url } = await client.upload(await photo(...SIZE));
  await client.enhance(url, ORDER);
  const traceId = randomBytes(16).toString('hex');
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
  await client.ask('POST', '/api/ai/enhance', { sourceUrl: url, ...ORDER }, { traceparent });
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const spans = collector.of(traceId);
    const count = (name) => spans.filter((span) => span.name === name).length;
    if (LAST.every((name) => count(name) > 0) && count('webhook attempt') >= EVENTS) return spans;
    if (performance.now() > endMs)
      throw new Error(`the trace is not whole: ${spans.map(({ name }) => name)}`);
    await sleep(100);
  }
}

function table(spans) {
  const startMs = Math.min(...spans.map((span) => span.startMs));
  const lines = spans
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ service, name, startMs: at, endMs }) =>
      [
        (at - startMs).toFixed(1).padStart(9),
        (endMs - at).toFixed(1).padStart(9),
        service.padEnd(15),
        name,
      ].join('  '),
    );
  return `${['at ms'.padStart(9), 'ms'.padStart(9), 'service'.padEnd(15), 'span'].join('  ')}\n${lines.join('\n')}\n`;
}
