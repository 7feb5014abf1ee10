import { fork } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { built } from '../lib/built.mjs';
import { descendantsOf } from '../lib/child-processes.mjs';
import { cleanupOnce } from '../lib/cleanup.mjs';
import { DIST, ROOT } from '../lib/paths.mjs';
import { openStage } from './stage.mjs';
import { JobLoad } from './swaps/job-load.mjs';
import { atMost, judge, verdict } from './verdict.mjs';
import { residentMb } from './worker/worker-watch.mjs';

const OPERATION = 'auto_enhance';
/** After taking over, a worker warms its models and settles. */
const SETTLE_MS = 3_000;
const GROWTH = atMost(1.1);
/** Clients that send one job after the other during the swaps. */
const CLIENTS = 4;
/** Maximum time during a takeover in which no job ends, milliseconds. */
const PAUSE = atMost(1_000);

/**
 * Replaces one model repeatedly in a running service under load. The worker's resident memory after each replacement
 * may exceed that after the first by at most a tenth, and jobs must keep ending.
 */
export async function run({ json, count, device }) {
  const { removeDataDir } = await built('infra/database/embedded/staging.js');
  const { freePort } = await built('infra/database/embedded/free-port.js');
  const stage = await openStage();
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'ies-swaps-'));
  const modelsDir = await mkdtemp(join(tmpdir(), 'ies-swaps-models-'));
  await chmod(dataDir, 0o755);
  await cp(join(ROOT, 'models', OPERATION, '1'), join(modelsDir, OPERATION, '1'), { recursive: true });
  const service = fork(join(DIST, 'main.all.js'), [], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      MODELS_DIR: modelsDir,
      DATABASE_URL: stage.databaseUrl,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      INFERENCE_DEVICE: device,
      MODELS_POLL_MS: '500',
    },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  const close = cleanupOnce(async () => {
    service.kill('SIGTERM');
    await ended;
    await stage.close();
    await removeDataDir(dataDir);
    await rm(modelsDir, { recursive: true });
  });
  try {
    await new Promise((resolve) => service.stdout.once('data', resolve));
    const sizes = [];
    const pauses = [];
    const load = await JobLoad.start({ api: { port }, account: stage.account }, OPERATION, CLIENTS);
    let pid = workers(service.pid)[0];
    for (let version = 2; version <= count + 1; version += 1) {
      await sleep(SETTLE_MS);
      const usualMs = load.longestPause();
      await drop(modelsDir, version);
      pid = await replaced(service.pid, pid);
      await sleep(SETTLE_MS);
      pauses.push({ usualMs, swapMs: load.longestPause() });
      sizes.push(residentMb(pid).now * 2 ** 20);
      if (!json)
        process.stdout.write(
          `swap ${version - 1}: ${besideFirst(sizes.at(-1), sizes[0])}; ${besideUsual(pauses.at(-1))}\n`,
        );
    }
    await load.stop();
    const longest = judge(Math.max(...pauses.map(({ swapMs }) => swapMs)), PAUSE);
    const [last, largest] = [sizes.at(-1), Math.max(...sizes)];
    const growth = (bytes) => judge(bytes / sizes[0], GROWTH);
    const verdicts = { last: growth(last), largest: growth(largest) };
    if (json)
      process.stdout.write(
        `${JSON.stringify({ bytes: sizes, lastToFirst: last / sizes[0], ...verdicts, pauses, longestPause: longest, jobs: load.ended })}\n`,
      );
    else
      process.stdout.write(
        `largest: ${besideFirst(largest, sizes[0])}\nlast: ${besideFirst(last, sizes[0])}\n` +
          `longest time in which none of ${load.ended} jobs ended: ${longest.value.toFixed(0)} ms (${verdict(longest)})\n`,
      );
    return { ...verdicts, longest };
  } finally {
    await close();
  }
}

function besideFirst(bytes, firstBytes) {
  const judged = judge(bytes / firstBytes, GROWTH);
  return `${(bytes / 1e6).toFixed(0)} MB, ${judged.value.toFixed(3)} of the first (${verdict(judged)})`;
}

function besideUsual({ usualMs, swapMs }) {
  return `no job ended for ${swapMs.toFixed(0)} ms, ${usualMs.toFixed(0)} ms before`;
}

async function drop(modelsDir, version) {
  const draft = join(modelsDir, OPERATION, '.draft');
  await cp(join(modelsDir, OPERATION, '1'), draft, { recursive: true });
  const path = join(draft, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...manifest, name: `swap-${version}` }));
  await rename(draft, join(modelsDir, OPERATION, String(version)));
}

/** Waits until another worker is the only one. */
async function replaced(parent, before) {
  for (;;) {
    const now = workers(parent);
    if (now.length === 1 && now[0] !== before) return now[0];
    await sleep(200);
  }
}

function workers(parent) {
  return descendantsOf(parent)
    .filter(({ parentPid, command }) => parentPid === parent && command.includes('main.worker.js'))
    .map(({ pid }) => pid);
}
