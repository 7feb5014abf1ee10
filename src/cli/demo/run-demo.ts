import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeDataDir } from '../../infra/database/embedded/staging.js';
import { makeTemporaryDataDir } from '../../infra/database/embedded/temporary-data-dir.js';
import { type CommandLine, readCommandLine, UsageError, usageFault } from '../command-line.mjs';
import { DemoClient, RefusedError } from './demo-client.js';
import { type DemoSource, runJobs } from './demo-jobs.js';
import { type DemoOptions, demoOptions, demoProgram } from './demo-options.js';
import { type DemoPhoto, demoPhotos, type DemoPhotos } from './demo-photos.js';
import { outcomeTable, writeResults, writeSheet } from './demo-report.js';
import { DemoService } from './demo-service.js';
import { errorText } from '../../kernel/errors/error-text.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OUT = join(ROOT, 'out');
const EXIT_INTERRUPTED = 130;

const print = (text: string) => process.stdout.write(`${text}\n`);
const log = { info: () => undefined, warn: print, error: print };

/**
 * Runs the demo. Exit code: 0 all jobs completed, 1 one failed, 2 invalid arguments, 130 interrupted. Leaves no process
 * and only `out/` behind.
 */
export async function runDemo(argv: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interruption.abort());
  const program = demoProgram();
  try {
    if (!readCommandLine(program, argv)) return 0;
    const options = demoOptions(program);
    const photos = await demoPhotos(options.photo, options.operations);
    return await withService(interruption.signal, (service) =>
      enhance(service, photos, options, interruption.signal),
    );
  } catch (error) {
    return explainFault(program, error, interruption.signal);
  }
}

async function withService(
  signal: AbortSignal,
  work: (service: DemoService) => Promise<number>,
): Promise<number> {
  const dataDir = await makeTemporaryDataDir('ies-demo-', OUT, log);
  try {
    const startedMs = performance.now();
    print('Starting the service …');
    const service = await DemoService.start(dataDir, ROOT, signal);
    try {
      print(`Ready at ${service.url} after ${seconds(startedMs)}`);
      return await work(service);
    } catch (error) {
      throw await service.explain(error);
    } finally {
      await service.stop();
    }
  } finally {
    await removeDataDir(dataDir);
  }
}

async function enhance(
  service: DemoService,
  photos: DemoPhotos,
  options: DemoOptions,
  signal: AbortSignal,
): Promise<number> {
  const client = new DemoClient(service.url, await service.createAccount(), signal);
  const sources = new Map<DemoPhoto, DemoSource>();
  for (const photo of new Set(options.operations.map((operation) => photos.of(operation)))) {
    const { url, width, height } = await client.upload(photo.bytes, photo.name);
    sources.set(photo, { url, width, height, photo });
    print(`Uploaded ${photo.name}: ${width} × ${height}`);
  }
  const orders = options.operations.flatMap((operation) =>
    options.levels.map((level) => ({ operation, level, source: sources.get(photos.of(operation))! })),
  );
  const startedMs = performance.now();
  const outcomes = await runJobs(client, orders, {
    signal,
    onEnd: ({ operation, level, job }) => print(`  ${operation} ${level}: ${job?.status}`),
  });
  print(`${outcomes.length} jobs after ${seconds(startedMs)}\n`);
  await writeResults(OUT, outcomes);
  print(outcomeTable(outcomes));
  const sheet = join(OUT, 'contact-sheet.png');
  const tooLarge = await writeSheet(sheet, outcomes);
  const isComplete = outcomes.every(({ result }) => result !== undefined);
  print(`\nResults: ${OUT}`);
  if (outcomes.some(({ result }) => result !== undefined))
    print(`Contact sheet: ${relative(process.cwd(), sheet)}`);
  if (tooLarge > 0) print(`(${tooLarge} results are too large for the contact sheet)`);
  return isComplete ? 0 : 1;
}

function explainFault(program: CommandLine, error: unknown, signal: AbortSignal): number {
  if (signal.aborted) {
    process.stderr.write('Interrupted. Nothing was left running.\n');
    return EXIT_INTERRUPTED;
  }
  if (error instanceof UsageError) {
    process.stderr.write(usageFault(program, error));
    return 2;
  }
  const text = errorText(error);
  process.stderr.write(error instanceof RefusedError ? `The service refused: ${text}\n` : `${text}\n`);
  return 1;
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`;
}
