import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import pg from 'pg';
import { DIST, ROOT } from '../lib/paths.mjs';
import { median } from './load.mjs';
import { openStage } from './stage.mjs';
import { atLeast, atMost, measured, remark, under } from './verdict.mjs';
import { startSink } from './webhooks/sink.mjs';
import { WebhookSeed } from './webhooks/seed.mjs';

const WARM_UP = 500;
const THROUGHPUT_EVENTS = 3_000;
const THROUGHPUT_ROUNDS = 3;
const LATENCY_EVENTS = 200;
const LATENCY_PAUSE_MS = 25;
const CROWDS = [
  { endpoints: 200, each: 50 },
  { endpoints: 1_000, each: 10 },
  { endpoints: 10_000, each: 1 },
];
const PATIENCE_MS = 120_000;

/** The system limits the open files of a Node.js process. A hanging receiver takes one on each side. */
const ENV = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
  WEBHOOK_HOST_RATE: '100000',
  LOG_LEVEL: 'error',
};

/**
 * Measures one dispatcher with its default settings except for the rate of a host, a receiver on this machine, and events that are committed to the
 * database: deliveries per second, the time from the commit to the first byte, and the effect of hanging receivers on
 * others.
 */
export async function run({ json }) {
  const stage = await openStage();
  const sink = await startSink();
  const database = new pg.Client({ connectionString: stage.databaseUrl });
  try {
    await database.connect();
    const seed = await WebhookSeed.open(database, stage.dataDir, stage.account.id);
    const env = { ...ENV, MODELS_DIR: join(ROOT, 'models') };
    await stage.start(join(DIST, 'main.dispatcher.js'), env);
    const bench = { seed, sink };
    const rows = [await measureThroughput(bench), await measureLatency(bench)];
    for (const crowd of CROWDS) rows.push(await measureCrowd(bench, crowd));
    process.stdout.write(json ? `${JSON.stringify(rows)}\n` : table(rows));
    return rows;
  } finally {
    await database.end();
    sink.close();
    await stage.close();
  }
}

async function measureThroughput({ seed, sink }) {
  await seed.endpoints([sink.url('/good')]);
  const once = async (count) => {
    sink.reset();
    const startedAt = performance.now();
    await seed.events(count);
    await until(() => sink.count('/good') >= count, `${count} deliveries`);
    return count / ((performance.now() - startedAt) / 1_000);
  };
  await once(WARM_UP);
  const rates = [];
  for (let round = 0; round < THROUGHPUT_ROUNDS; round += 1) rates.push(await once(THROUGHPUT_EVENTS));
  await seed.clear();
  return {
    ...measured('deliveries a second, one dispatcher, one endpoint', median(rates), '/s', atLeast(300)),
    details: `${THROUGHPUT_ROUNDS} × ${THROUGHPUT_EVENTS} events, from before their commit to the last request: ${rates.map((rate) => rate.toFixed(0)).join(', ')}/s`,
  };
}

async function measureLatency({ seed, sink }) {
  await seed.endpoints([sink.url('/soon')]);
  sink.reset();
  const times = [];
  for (let index = 0; index < LATENCY_EVENTS; index += 1) {
    const [id] = await seed.events(1);
    const committedAt = performance.now();
    await until(() => sink.firstByteAt(id) !== undefined, id);
    times.push(sink.firstByteAt(id) - committedAt);
    await sleep(LATENCY_PAUSE_MS);
  }
  await seed.clear();
  const sorted = times.toSorted((a, b) => a - b);
  const what = 'from the commit of an event to the first byte at the receiver: median';
  return {
    ...measured(what, median(times), 'ms', under(150)),
    details: `${LATENCY_EVENTS} events one by one; p99 ${sorted[Math.floor(sorted.length * 0.99)].toFixed(1)} ms`,
  };
}

async function measureCrowd({ seed, sink }, { endpoints, each }) {
  sink.reset();
  const urls = Array.from({ length: endpoints }, (_, index) =>
    sink.url(index % 2 === 0 ? `/good/${index}` : `/hang/${index}`, index),
  );
  await seed.endpoints(urls);
  const wanted = (endpoints / 2) * each;
  const startedAt = performance.now();
  await seed.events(each);
  await until(() => sink.count('/good') >= wanted, `${wanted} deliveries`);
  const seconds = (performance.now() - startedAt) / 1_000;
  const hanging = sink.count('/hang');
  sink.reset();
  await seed.clear();
  const what = `${endpoints * each} due deliveries at ${endpoints} endpoints, every second one hangs: until the others had all`;
  return {
    ...measured(what, seconds, 's', atMost(60)),
    details: `${wanted} deliveries arrived; attempts at hanging endpoints by then: ${hanging}`,
  };
}

async function until(isSo, what) {
  const endMs = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`waited ${PATIENCE_MS / 1_000} s for ${what}`);
    await sleep(1);
  }
}

function table(rows) {
  const lines = rows.map(
    ({ what, unit, details, ...judged }) =>
      `${what.padEnd(90)} ${judged.value.toFixed(2).padStart(8)} ${unit}${remark(judged)}\n    ${details}`,
  );
  return `${lines.join('\n')}\n`;
}
