import { SetupError } from '../lib/setup-error.mjs';

const OPERATIONS = ['auto_enhance', 'bg_remove', 'smooth_skin', 'upscale'];

/** Measured rounds of each program in `peers`, unless the command line overrides it. */
export const PEER_ROUNDS = 5;

/** The benchmarks, and the options of each besides --json. */
export const BENCHES = {
  api: [
    'the HTTP API compared with a bare server',
    (bench) =>
      bench.option(
        '--only <text>',
        'only the groups whose name contains the text: cache, routes, batch, limit, upload, database',
        '',
      ),
  ],
  bodies: ['how long bodies of many members block the event loop of the api'],
  chain: ['a job of three operations compared with three jobs (docs/chains.md)'],
  chaos: ['ten minutes of faults with fixed seeds (docs/reliability.md)'],
  decode: ['time to decode by size and format, and the slowest files that we know of'],
  finish: [
    'work on the transparency of large cutouts, and how long it blocks the event loop of a worker (docs/decisions/0176-finishing-in-strips.md)',
  ],
  gpu: [
    'pixels per second of every operation on a device by batch size, and the difference of all pixels from the CPU in float32; --json prints all rows so far after each row',
    (bench, { numberOption, wordOption, UsageError }) =>
      bench
        .option('--device <name>', 'device to measure (default: INFERENCE_DEVICE)')
        .option(
          '--pixels <n>',
          'size of the image',
          numberOption('--pixels', { from: 1, whole: true }),
          3_000_000,
        )
        .option('--operation <name>', 'only this operation', wordOption('--operation', OPERATIONS))
        .option(
          '--batches <list>',
          'batch sizes, separated by commas',
          numbersOption('--batches', UsageError),
          [1, 2, 4, 8, 16, 32],
        ),
  ],
  growth: [
    'every hot query with 10^4, 10^5 and 10^6 rows (docs/operations.md)',
    (bench, { UsageError }) =>
      bench
        .option(
          '--sizes <list>',
          'numbers of rows, separated by commas',
          numbersOption('--sizes', UsageError),
          [10_000, 100_000, 1_000_000],
        )
        .option('--all', 'print every query, not only the slowest'),
  ],
  latency: [
    'seconds from the request for a job on a photo of 12 MP to its end, on an idle service (docs/performance.md)',
    onlyOption,
  ],
  memory: ['memory of a worker on large images (docs/memory.md)', onlyOption],
  peers: [
    'the service compared with rembg, UpscalerJS, Real-ESRGAN and Pillow (npm run peers:setup; docs/performance.md)',
    (bench, { numberOption }) =>
      bench
        .option('--only <text>', 'only the groups whose name contains the text: cutouts, enlarge, codecs', '')
        .option('--photos <dir>', 'a folder of JPEG files (default: drawn pictures)')
        .option('--markdown', 'print tables for a document')
        .option(
          '--rounds <n>',
          'measured turns of each program',
          numberOption('--rounds', { from: 1, whole: true }),
          PEER_ROUNDS,
        ),
  ],
  pipeline: [
    'the whole service compared with the bare model: where the time goes',
    (bench, lines) =>
      onlyOption(bench).option(
        '--rounds <n>',
        'rounds of each measurement (default: as many as it needs)',
        lines.numberOption('--rounds', { from: 1, whole: true }),
      ),
  ],
  profile: [
    'CPU time of a job by step and thread, for each operation, small and 12 MP (docs/performance.md)',
    (bench) =>
      onlyOption(bench)
        .option('--flame <dir>', 'also write flame graphs of the main thread, as SVG')
        .option('--markdown', 'print tables for a document'),
  ],
  rolling: [
    'every process of an installation on S3 is replaced while jobs arrive: what their clients see (docs/operations.md)',
    (bench, { numberOption }) =>
      bench
        .option('--rate <n>', 'jobs a second', numberOption('--rate', { above: 0, to: 100 }), 2)
        .option(
          '--rounds <n>',
          'how often all are replaced',
          numberOption('--rounds', { from: 1, whole: true }),
          1,
        )
        .option(
          '--processes <n>',
          'processes of each role',
          numberOption('--processes', { from: 1, whole: true }),
          2,
        ),
  ],
  swaps: [
    'memory of a worker while a model is replaced many times, and the longest time in which no job ended (docs/performance.md)',
    (bench, { numberOption }) =>
      bench
        .option(
          '--count <n>',
          'number of replacements',
          numberOption('--count', { from: 1, whole: true }),
          20,
        )
        .option('--device <name>', 'device of the worker', 'cpu'),
  ],
  trace: [
    'the trace of one job through all roles: where its time goes (docs/tracing.md)',
    (bench) => bench.option('--picture <file>', 'also draw it, as SVG'),
  ],
  triton: [
    'pixels per second through an inference server and through our own engine, on the same graphs (docs/triton.md)',
    (bench, { listOption, numberOption, wordOption }) =>
      bench
        .option('--url <address>', 'a server with the exported models (default: the one of triton:setup)')
        .option(
          '--pixels <n>',
          'size of the image',
          numberOption('--pixels', { from: 1, whole: true }),
          1_000_000,
        )
        .option('--operation <name>', 'only this operation', wordOption('--operation', OPERATIONS))
        .option(
          '--levels <list>',
          'levels, separated by commas',
          listOption('--levels', ['low', 'medium', 'high']),
          ['low', 'medium', 'high'],
        )
        .option(
          '--concurrency <n>',
          'requests at the same time (default: two for each core)',
          numberOption('--concurrency', { from: 2, whole: true }),
        ),
  ],
  web: ['first paint of the dashboard, and a list of ten thousand jobs'],
  webhooks: ['throughput and latency of webhook deliveries'],
};

/**
 * Adds a command for each benchmark.
 * @param {(name: string, options: Record<string, any>) => void} choose called with the selected one
 */
export function declareBenches(program, lines, choose) {
  program.usage('<name> [options]').option('--json', 'print the results as JSON');
  for (const [name, [description, declare]] of Object.entries(BENCHES)) {
    const bench = program.command(name).description(description);
    declare?.(bench, lines);
    bench.action(() => choose(name, bench.optsWithGlobals()));
  }
}

/**
 * The names that contain the text of `--only`. Called before anything is started.
 * @param {readonly string[]} names
 * @throws SetupError when there are none, because a benchmark that measures nothing would miss no target
 */
export function namesWith(only, names) {
  const wanted = names.filter((name) => name.includes(only));
  if (wanted.length === 0)
    throw new SetupError(
      `No name contains the text of --only, "${only}". The names:\n${names.join('\n')}`,
      2,
    );
  return wanted;
}

function onlyOption(bench) {
  return bench.option('--only <text>', 'only the rows whose name contains the text', '');
}

function numbersOption(flag, UsageError) {
  return (text) => {
    const numbers = text.split(',').map(Number);
    if (numbers.every((number) => Number.isSafeInteger(number) && number > 0)) return numbers;
    throw new UsageError(`${flag} must be whole numbers above 0, separated by commas, not "${text}".`);
  };
}
