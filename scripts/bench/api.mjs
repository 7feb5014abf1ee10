import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import sharp from 'sharp';
import { built } from '../lib/built.mjs';
import { compareCachedJob } from './api/cached-job.mjs';
import { measureDatabaseShare } from './api/database-share.mjs';
import { row, table } from './api/table.mjs';
import { namesWith } from './command-line.mjs';
import { JobClient } from './job-client.mjs';
import { compare, load, median } from './load.mjs';
import { openStage } from './stage.mjs';
import { atLeast, atMost, under } from './verdict.mjs';
import { residentMb } from './worker/worker-watch.mjs';

const ROUNDS = 5;
const CONCURRENCY = 16;

const GROUPS = {
  // Runs first, while no other job is queued.
  cache: measureCache,
  routes: measureRoutes,
  batch: measureBatch,
  limit: async (stage) => [await measureRateLimit(stage.databaseUrl)],
  upload: async (stage) => [await measureUpload(stage)],
  database: measureDatabase,
};

/**
 * Compares the api with a bare Fastify route on the same database: creating and polling jobs, the cost of the rate
 * limit, and the memory of an upload. The two are measured alternately, so the ratios hold on a busy machine.
 */
export async function run({ json, only }) {
  const wanted = namesWith(only, Object.keys(GROUPS));
  const stage = await openStage();
  try {
    const rows = [];
    for (const name of wanted) rows.push(...(await GROUPS[name](stage)));
    process.stdout.write(json ? `${JSON.stringify(rows)}\n` : table(rows));
    return rows;
  } finally {
    await stage.close();
  }
}

async function measureRoutes(stage) {
  const client = new JobClient(stage);
  const { base, headers } = client;
  const source = await client.upload(await jpeg(64, 64));
  const bareBase = await startBare(stage, source);
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ sourceUrl: source.url, operation: 'upscale' });
  const creating = (url, extra) => () =>
    load({
      url,
      method: 'POST',
      headers: { ...json, ...extra },
      body,
      count: 800,
      concurrency: CONCURRENCY,
      expect: 201,
    });
  const first = await client.create(source.url, { operation: 'upscale' });
  const polling = (url, extra) => () =>
    load({ url, headers: extra, count: 2000, concurrency: CONCURRENCY, expect: 200 });
  const pair = [creating(`${base}/api/ai/enhance`, headers), creating(`${bareBase}/enhance`, {})];
  const polls = [
    polling(`${base}/api/ai/enhance/${first.id}`, headers),
    polling(`${bareBase}/enhance/${first.id}`, {}),
  ];
  // Warms up the JIT compiler: the first thousands of requests of a process are the slowest.
  for (const warmUp of [...pair, ...polls, ...polls, ...polls]) await warmUp();
  const checked = polling(`${bareBase}/checked/${first.id}`, headers);
  await checked();
  await checked();
  await checked();
  const create = await compare(ROUNDS, ...pair);
  const poll = await compare(ROUNDS, polls[0], checked);
  const pollRead = await compare(ROUNDS, ...polls);
  return [
    row('create a job: time at the median, service / bare', create.latencyRatio, '×', atMost(1.5), create),
    row(
      'create a job: mean time, service / bare',
      1 / create.throughputRatio,
      '× (for comparison)',
      undefined,
      create,
    ),
    row(
      'poll a job: requests a second, service / bare with key and limit',
      poll.throughputRatio,
      '× (for comparison)',
      undefined,
      poll,
    ),
    row(
      'poll a job: requests a second, service / bare read, nothing else',
      pollRead.throughputRatio,
      '×',
      atLeast(0.5),
      pollRead,
    ),
  ];
}

/** @returns the URL of a bare server */
async function startBare(stage, source) {
  const { port } = await stage.start(join(import.meta.dirname, 'api/bare-server.mjs'), {
    ACCOUNT_ID: stage.account.id,
    SOURCE_ID: source.id,
  });
  return `http://127.0.0.1:${port}`;
}

async function measureCache(stage) {
  const source = await new JobClient(stage).upload(await jpeg(64, 64));
  const bareUrl = `${await startBare(stage, source)}/row`;
  const { summaries, ratios } = await compareCachedJob(stage, source, bareUrl);
  const against = (what, index) =>
    row(
      `a job from the cache: time at the median, creation / ${what}`,
      ratios[index].latencyRatio,
      '× (for comparison)',
      undefined,
      { first: summaries[0], second: summaries[index] },
      ['creation', what],
    );
  return [against('read', 1), against('bare insert', 2)];
}

const BATCH_ITEMS = 1_000;

/** A batch of 1,000 items, and its database time compared with that of 1,000 single creations. */
async function measureBatch(stage) {
  const client = new JobClient(stage);
  const { url } = await client.upload(await jpeg(64, 64));
  const order = { sourceUrls: Array(BATCH_ITEMS).fill(url), operation: 'upscale' };
  const batch = () => client.ask('POST', '/api/ai/batches', order);
  const singles = async () => {
    for (let index = 0; index < BATCH_ITEMS; index += 1) await client.create(url, { operation: 'upscale' });
  };
  await batch();
  const database = new pg.Client({ connectionString: stage.databaseUrl });
  await database.connect();
  try {
    const times = [];
    const inDatabase = { batch: [], singles: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      inDatabase.batch.push(await databaseMs(database, batch));
      times.push(performance.now() - startedAt - 2 * STATISTICS_MS);
      inDatabase.singles.push(await databaseMs(database, singles));
    }
    const share = median(inDatabase.batch) / median(inDatabase.singles);
    return [
      row(`create a batch of ${BATCH_ITEMS}: time at the median`, median(times), 'ms', under(2_000)),
      row(`create a batch of ${BATCH_ITEMS}: database time / that of as many jobs`, share, '×', atMost(0.05)),
    ];
  } finally {
    await database.end();
  }
}

/** Sessions report their statistics within a second. */
const STATISTICS_MS = 1_500;

/** Milliseconds that all sessions spent executing statements during `work`. */
async function databaseMs(database, work) {
  const read = async () => {
    await sleep(STATISTICS_MS);
    const { rows } = await database.query(
      'SELECT active_time AS ms FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0].ms);
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

async function measureDatabase() {
  const small = await jpeg(64, 64);
  const share = await measureDatabaseShare((stage) => new JobClient(stage).upload(small));
  return [
    {
      ...row('a job in the database: statements sent', share.statements, '', atMost(12)),
      jobsPerSecond: share.jobsPerSecond,
      statements: share.mostUsed,
    },
    row('a job in the database: WAL', share.walBytes / 1_000, 'kB', atMost(12)),
  ];
}

async function measureRateLimit(databaseUrl) {
  const { createDataSource } = await built('infra/database/data-source.js');
  const { Database } = await built('infra/database/database.js');
  const { RateLimitRepository } = await built('quotas/rate-limit/rate-limit.repository.js');
  const dataSource = createDataSource({ databaseUrl, poolSize: 2, applicationName: 'bench' });
  await dataSource.initialize();
  try {
    const limits = new RateLimitRepository(new Database(dataSource));
    const times = [];
    for (let index = 0; index < 2000; index += 1) {
      const startedAt = performance.now();
      await limits.take('bench', 1e9);
      times.push(performance.now() - startedAt);
    }
    return row('rate-limit check: median', median(times), 'ms', under(1.5));
  } finally {
    await dataSource.destroy();
  }
}

async function measureUpload(stage) {
  const client = new JobClient(stage);
  const photo = await jpeg(4000, 3000);
  const nowMb = () => residentMb(stage.api.child.pid).now;
  // The first uploads load the header parser and grow the heap once. Only the memory of each further one counts.
  for (let index = 0; index < 3; index += 1) await client.upload(photo);
  const beforeMb = nowMb();
  let peakMb = beforeMb;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, nowMb())), 2);
  for (let index = 0; index < 5; index += 1) await client.upload(photo);
  clearInterval(watch);
  return row(
    `upload of 12 MP (${(photo.length / 2 ** 20).toFixed(1)} MB): added memory`,
    peakMb - beforeMb,
    'MB',
    under(40),
  );
}

/** A JPEG with the entropy of a photo: smooth noise. */
async function jpeg(width, height) {
  const noise = {
    create: {
      width: Math.ceil(width / 4),
      height: Math.ceil(height / 4),
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  };
  return sharp(noise).resize(width, height, { kernel: 'cubic' }).jpeg({ quality: 92 }).toBuffer();
}
