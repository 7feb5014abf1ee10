// Where the GPU spends the time of a graph: `node scripts/gpu/kernels.mjs --stage upscale/1/x2-best`. Prints JSON.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runScript } from '../lib/run-script.mjs';
import { SetupError } from '../lib/setup-error.mjs';
import { lastJson } from './last-json.mjs';

/** Kernels with less time are left out. */
const MIN_SHARE = 0.002;

await runScript({
  invocation: 'node scripts/gpu/kernels.mjs',
  description:
    'Lists the CUDA kernels and copies of a graph by their time. Needs a C++ compiler and the headers and library of CUPTI, which CUDA 13 contains.',
  declare: (program, { numberOption }) =>
    program
      .requiredOption(
        '--stage <text>',
        'the stage whose name contains this, in half precision if it has that',
      )
      .option('--batch <n>', 'batch size', numberOption('--batch', { from: 1, whole: true }), 4),
  main: async (options) => {
    process.stdout.write(`${JSON.stringify(measure(options))}\n`);
  },
});

function measure({ stage, batch }) {
  const library = libraryFolder();
  if (library === undefined)
    return { skipped: 'there is no libcupti on LD_LIBRARY_PATH or in /usr/local/cuda' };
  const folder = mkdtempSync(join(tmpdir(), 'ies-trace-'));
  try {
    const tracer = compiled(folder, library);
    const out = join(folder, 'trace.json');
    const rows = run(process.execPath, graphsOf(stage, batch), {
      CUDA_INJECTION64_PATH: tracer,
      CUDA_TRACE_OUT: out,
      LD_LIBRARY_PATH: [process.env.LD_LIBRARY_PATH, library].filter(Boolean).join(delimiter),
    });
    if (!existsSync(out)) throw new SetupError(`The tracer wrote nothing. The graph printed: ${rows}`);
    return { row: lastJson(rows).at(-1), ...longest(JSON.parse(readFileSync(out, 'utf8'))) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function graphsOf(stage, batch) {
  const script = join(import.meta.dirname, 'graphs.mjs');
  return [script, '--device', 'cuda', '--stage', stage, '--batch', String(batch)];
}

function longest({ activities, ...rest }) {
  const least = MIN_SHARE * activities.reduce((sum, { microseconds }) => sum + microseconds, 0);
  return {
    ...rest,
    activities: activities
      .filter(({ microseconds }) => microseconds >= least)
      .toSorted((a, b) => b.microseconds - a.microseconds),
  };
}

function compiled(folder, library) {
  const target = join(folder, 'cuda-trace.so');
  const include = includeFolder(library);
  if (include === undefined)
    throw new SetupError(`cupti.h is not beside ${library}. Install the CUDA toolkit.`);
  const source = join(import.meta.dirname, 'cuda-trace.cc');
  const libcupti = readdirSync(library).find(isLibcupti);
  run('c++', [
    '-O2',
    '-fPIC',
    '-shared',
    '-std=c++17',
    '-o',
    target,
    source,
    `-I${include}`,
    join(library, libcupti),
  ]);
  return target;
}

function run(command, args, env = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0)
    throw new SetupError(`${command} failed: ${error?.message ?? `${stdout}${stderr}`.slice(-1_000)}`);
  return stdout;
}

/** The folder of CUPTI's library: of a toolkit, or of PyTorch. */
function libraryFolder() {
  const path = (process.env.LD_LIBRARY_PATH ?? '').split(delimiter).filter((folder) => existsSync(folder));
  return [...path, ...toolkits()].find((folder) => readdirSync(folder).some(isLibcupti));
}

function toolkits() {
  const root = '/usr/local';
  return (existsSync(root) ? readdirSync(root) : [])
    .filter((name) => name.startsWith('cuda'))
    .map((name) => join(root, name, 'targets/x86_64-linux/lib'))
    .filter((folder) => existsSync(folder));
}

function includeFolder(library) {
  const folders = [dirname(library), ...toolkits().map((folder) => dirname(folder))];
  return folders
    .map((folder) => join(folder, 'include'))
    .find((folder) => existsSync(join(folder, 'cupti.h')));
}

function isLibcupti(name) {
  return name.startsWith('libcupti.so');
}
