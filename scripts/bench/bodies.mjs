import { loopDelay, WATCHED } from './worker/worker-watch.mjs';
import { send } from './load.mjs';
import { openStage } from './stage.mjs';
import { judge, under, verdict } from './verdict.mjs';
import { members, WIDE_BODIES } from './bodies/wide-bodies.mjs';

const REPEATS = 5;
/** Maximum time that one request may block the event loop of the api. */
const MAX_LOOP_MS = 50;
const KB = 1024;

/** Bodies as large as their route permits, and one that is far larger. */
const SHAPES = { ...WIDE_BODIES, '110,000 members': () => `{${members(110_000, '0')}}` };

/** Sends hostile bodies, with and without credentials, and measures how long each blocks the event loop of the api. */
export async function run({ json }) {
  const stage = await openStage({ api: WATCHED });
  try {
    const base = `http://127.0.0.1:${stage.api.port}`;
    const routes = [
      { name: 'sign-in', url: `${base}/dashboard/api/sign-in`, bytes: 15 * KB, headers: {} },
      {
        name: 'create a job',
        url: `${base}/api/ai/enhance`,
        bytes: 127 * KB,
        headers: { 'x-api-key': stage.account.key },
      },
    ];
    const rows = [];
    for (const route of routes)
      for (const [shape, make] of Object.entries(SHAPES)) rows.push(await measure(stage, route, shape, make));
    process.stdout.write(json ? `${JSON.stringify(rows)}\n` : table(rows));
    return rows;
  } finally {
    await stage.close();
  }
}

async function measure({ api }, { name, url, bytes, headers }, shape, make) {
  const body = make(bytes);
  const request = { url, method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  // Excludes the cost of compiling a code path the first time.
  await send(request);
  await loopDelay(api.child);
  const statuses = new Set();
  for (let turn = 0; turn < REPEATS; turn += 1) statuses.add((await send(request)).status);
  const { maxMs } = await loopDelay(api.child);
  return {
    name: `${name}: ${shape}`,
    bytes: body.length,
    statuses: [...statuses],
    ...judge(maxMs, under(MAX_LOOP_MS)),
  };
}

function table(rows) {
  const lines = rows.map((row) => {
    const kB = `${Math.round(row.bytes / KB)} kB`.padStart(8);
    return `${row.name.padEnd(44)}${kB}  ${row.statuses.join('/').padEnd(8)}${row.value.toFixed(1).padStart(8)} ms  ${verdict(row)}`;
  });
  return `The longest time the event loop was kept, of ${REPEATS} requests each:\n${lines.join('\n')}\n`;
}
