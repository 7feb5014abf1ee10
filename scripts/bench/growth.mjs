import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import { DIST } from '../lib/paths.mjs';
import { openDatabase } from './stage/database.mjs';
import { GrowthSeed, QUEUED } from './growth/seed.mjs';
import { connectDataSource } from './growth/data-source.mjs';
import { hotQueries } from './growth/queries.mjs';
import { databaseSize, sizeLines } from './growth/size.mjs';
import { writeCostLines, writeCosts } from './growth/writes.mjs';

const ROUNDS = 9;
const LIMIT_MS = 10;
/**
 * Maximum slope of the time over the number of rows, on logarithmic scales; 1 means proportional. Below 2 ms, a slope
 * is noise.
 */
const LIMIT_EXPONENT = 0.25;
const NOTABLE_MS = 2;

/**
 * Fills a temporary database with ended jobs and all related rows, and times each hot query at 10^4, 10^5, and 10^6
 * rows while 20,000 jobs are queued. A query may take at most 10 ms and must not grow with the rows. Before that,
 * measures what the indexes and triggers cost when jobs are created and completed. Also prints the size of the
 * database.
 */
export async function run({ json, sizes, all }) {
  // The services log a line for each ended job. They use the packed copy of Nest in dist.
  const { Logger } = createRequire(join(DIST, 'main.api.js'))('@nestjs/common');
  Logger.overrideLogger(false);
  const { rows, writes, databaseSizes } = await inDatabase(async (databaseUrl) => ({
    writes: await writeCosts(databaseUrl),
    ...(await measure(databaseUrl, sizes)),
  }));
  const bad = rows.filter(({ isMet }) => !isMet);
  const shown = all ? rows : [...new Set([...bad, ...slowest(rows)])];
  process.stdout.write(
    json
      ? `${JSON.stringify({ rows, writes, databaseSizes })}\n`
      : table(shown, rows.length, sizes) + sizeLines(databaseSizes) + writeCostLines(writes),
  );
  return rows;
}

async function inDatabase(work) {
  const { databaseUrl, close } = await openDatabase({ durable: false });
  try {
    return await work(databaseUrl);
  } finally {
    await close();
  }
}

async function measure(databaseUrl, sizes) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const dataSource = await connectDataSource(databaseUrl);
  try {
    const seed = new GrowthSeed(client);
    await seed.start();
    const times = new Map();
    const limits = new Map();
    const databaseSizes = [];
    for (const size of sizes) {
      await seed.growTo(size);
      databaseSizes.push({ jobs: size, ...(await databaseSize(client)) });
      for (const [name, once, limitMs = LIMIT_MS] of await hotQueries(dataSource)) {
        limits.set(name, limitMs);
        times.set(name, [...(times.get(name) ?? []), await timeOf(once)]);
      }
    }
    const rows = [...times].map(([name, ms]) => rowOf(name, ms, sizes, limits.get(name)));
    return { rows, databaseSizes };
  } finally {
    await dataSource.destroy();
    await client.end();
  }
}

/** The minimum of several runs in milliseconds, because other programs only make runs slower. */
async function timeOf(once) {
  const times = [];
  for (let round = -2; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await once();
    if (round >= 0) times.push(performance.now() - startedAt);
  }
  return Math.min(...times);
}

function rowOf(name, ms, sizes, limitMs) {
  const exponent = slope(sizes.map(Math.log), ms.map(Math.log));
  const grows = exponent > LIMIT_EXPONENT && ms.at(-1) > NOTABLE_MS && ms.at(-1) > 2 * ms[0];
  return { name, ms, exponent, isMet: !grows && ms.every((one) => one <= limitMs) };
}

/** Slope of the least-squares line. */
function slope(x, y) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const above = x.reduce((sum, value, index) => sum + (value - mx) * (y[index] - my), 0);
  return above / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}

/** The 15 slowest rows at the largest size. */
function slowest(rows) {
  return rows.toSorted((a, b) => b.ms.at(-1) - a.ms.at(-1)).slice(0, 15);
}

function table(rows, count, sizes) {
  const head = `${'query'.padEnd(76)} ${sizes.map((size) => size.toExponential(0).padStart(8)).join(' ')}  exponent\n`;
  const lines = rows.map(
    ({ name, ms, exponent, isMet }) =>
      `${name.padEnd(76)} ${ms.map((one) => one.toFixed(2).padStart(8)).join(' ')} ${exponent.toFixed(2).padStart(9)} ${isMet ? '' : 'NO'}`,
  );
  const rest = `${count} queries, shortest of ${ROUNDS} runs in ms, ${QUEUED} jobs queued; at most ${LIMIT_MS} ms each (batches of retention 500 ms), exponent at most ${LIMIT_EXPONENT}\n`;
  return `${head}${lines.join('\n')}\n${rest}`;
}
