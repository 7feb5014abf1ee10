// Replaces a model of a running service while jobs run: how long no job ended. Prints JSON.
import { fork, spawnSync } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { JobClient } from '../bench/job-client.mjs';
import { photo } from '../bench/photo.mjs';
import { DIST, ROOT } from '../lib/paths.mjs';
import { runScript } from '../lib/run-script.mjs';
import { setup } from '../lib/setup.mjs';

const ORDER = { operation: 'auto_enhance', level: 'medium', cache: false };
const built = (path) => import(pathToFileURL(join(DIST, path)).href);

await runScript({
  invocation: 'node scripts/gpu/swap.mjs',
  description:
    'Replaces the model of auto_enhance under load, and prints the longest time in which no job ended.',
  declare: (program, { numberOption }) =>
    program
      .requiredOption('--device <name>', 'device of the worker')
      .option(
        '--clients <n>',
        'clients, each with one job at a time',
        numberOption('--clients', { from: 1, whole: true }),
        16,
      )
      .option(
        '--seconds <n>',
        'longest wait for the new version',
        numberOption('--seconds', { above: 0 }),
        120,
      ),
  main: async (options) => {
    await setup();
    process.stdout.write(`${JSON.stringify(await measure(options))}\n`);
  },
});

async function measure({ device, clients, seconds }) {
  const { freePort } = await built('infra/database/embedded/free-port.js');
  const { removeDataDir } = await built('infra/database/embedded/staging.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'ies-gpu-swap-'));
  const modelsDir = await mkdtemp(join(tmpdir(), 'ies-gpu-models-'));
  await chmod(dataDir, 0o755);
  await cp(join(ROOT, 'models', 'auto_enhance', '1'), join(modelsDir, 'auto_enhance', '1'), {
    recursive: true,
  });
  const port = await freePort();
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    MODELS_DIR: modelsDir,
    PORT: String(port),
    INFERENCE_DEVICE: device,
    MODELS_POLL_MS: '500',
    LOG_LEVEL: 'warn',
  };
  const service = fork(join(DIST, 'main.all.js'), [], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  try {
    await Promise.race([new Promise((resolve) => service.stdout.once('data', resolve)), ended]);
    const client = new JobClient({ api: { port }, account: { key: createKey(env) } });
    const source = await client.upload(await photo(1600, 1200));
    return await replaceUnderLoad({ client, source, clients, seconds, modelsDir });
  } finally {
    service.kill('SIGTERM');
    await ended;
    await removeDataDir(dataDir);
    await rm(modelsDir, { recursive: true });
  }
}

function createKey(env) {
  const limits = 'rpm=1000000,enhancements=1000000';
  const args = ['account', 'create', 'gpu@example.com', '--plan', 'enterprise', '--limits', limits, '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(DIST, 'main.admin.js'), ...args], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`no account could be created: ${stderr}`);
  return JSON.parse(stdout).key;
}

async function replaceUnderLoad({ client, source, clients, seconds, modelsDir }) {
  const ends = [];
  const state = { isOver: false, failed: 0, nextVersionMs: undefined };
  const one = async () => {
    while (!state.isOver) {
      try {
        const job = await client.enhance(source.url, ORDER);
        ends.push(performance.now());
        if (job.model.version === 2) state.nextVersionMs ??= performance.now();
      } catch (error) {
        state.failed += 1;
        process.stderr.write(`${error.message}\n`);
      }
    }
  };
  const load = Promise.all(Array.from({ length: clients }, one));
  await sleep(3_000);
  const droppedMs = performance.now();
  await drop(modelsDir);
  while (state.nextVersionMs === undefined && performance.now() - droppedMs < seconds * 1_000)
    await sleep(100);
  await sleep(3_000);
  state.isOver = true;
  await load;
  if (state.nextVersionMs === undefined) throw new Error(`version 2 does not serve after ${seconds} s`);
  const sorted = ends.toSorted((a, b) => a - b);
  const gaps = sorted.slice(1).map((end, index) => end - sorted[index]);
  return {
    jobs: ends.length,
    failed: state.failed,
    secondsToNewVersion: Number(((state.nextVersionMs - droppedMs) / 1_000).toFixed(2)),
    longestGapMs: Math.round(Math.max(...gaps)),
  };
}

async function drop(modelsDir) {
  const draft = join(modelsDir, 'auto_enhance', '.draft');
  await cp(join(modelsDir, 'auto_enhance', '1'), draft, { recursive: true });
  const path = join(draft, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...manifest, name: 'second-version' }));
  await rename(draft, join(modelsDir, 'auto_enhance', '2'));
}
