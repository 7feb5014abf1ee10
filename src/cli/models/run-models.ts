import { ConfigError, readConfig } from '../../config/env.js';
import { parseArguments, UsageError } from '../arguments.js';
import { addModel } from './models-add.js';
import { benchModels } from './models-bench.js';
import { checkModels } from './models-check.js';
import { type ModelsCommand, ModelsError } from './models-command.js';
import { evaluateModels } from './models-eval.js';
import { listModels } from './models-list.js';
import { pullModel } from './models-pull.js';
import { reloadModels } from './models-reload.js';
import { sheetOfModels } from './models-sheet.js';
import { progressBar } from './progress.js';

const COMMANDS: Readonly<Record<string, ModelsCommand>> = {
  list: listModels,
  check: checkModels,
  add: addModel,
  bench: benchModels,
  eval: evaluateModels,
  sheet: sheetOfModels,
  pull: pullModel,
  reload: reloadModels,
};

const KNOWN = {
  options: ['operation', 'name', 'licence', 'source', 'trained-on', 'data', 'limit', 'out', 'catalogue'],
  flags: ['json', 'help', 'accept-licence', 'force', 'cases'],
} as const;

export const MODELS_USAGE = `Usage: npm run models -- <command> [--json]
  list                              every version, and which serve
  check [dir]                       tries a version, an operation or the whole repository
  add <file> --operation <name>     a model file of any make: finds out what it wants and writes the version folder
      [--name …] [--licence …] [--source …] [--trained-on …] [--force]
  bench [--operation <name>]        throughput of every stage, beside plain convolutions of the same arithmetic
  eval --data <dir>                 scores on photos beside plain baselines and published numbers
      [--operation <name>] [--limit n]
  sheet <image> [--out file]        before and after of every operation and level, magnified, as one PNG
      [--operation <name>]
  sheet --cases [--out dir]         the same of drawn hard cases: skin, night, text, black, alpha and others
  pull [name] [--accept-licence]    fetches a well-known upstream model; without a name: which there are
  reload                            tells a running service to look at its models now
The repository is MODELS_DIR (default ./models).`;

/** Exit code after Ctrl-C, as shells count it. */
export const INTERRUPTED = 130;

/** `npm run models`. @returns exit code: 0 done, 1 refused or failed, 2 the command line cannot be read, 130 interrupted */
export async function runModels(argv: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new ModelsError('Interrupted.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  const isJson = argv.includes('--json');
  const progress = progressBar(!isJson);
  try {
    const given = parseArguments(argv, KNOWN);
    const [name, ...positionals] = given.positionals;
    if (given.flags.has('help') || name === undefined) {
      process.stdout.write(`${MODELS_USAGE}\n`);
      return given.flags.has('help') ? 0 : 2;
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw new UsageError(`There is no command "${name}".`);
    const context = {
      config: readConfig(),
      given: { ...given, positionals },
      progress,
      signal: interruption.signal,
    };
    const { json, text, failed } = await Promise.race([command(context), interrupted(interruption.signal)]);
    await print(isJson ? `${JSON.stringify(json)}\n` : `${text}\n`);
    return failed === true ? 1 : 0;
  } catch (error) {
    progress.end();
    const code = report(error, isJson);
    return interruption.signal.aborted ? INTERRUPTED : code;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

/** Rejects when the user interrupts: not every command has a place where it could look. */
function interrupted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Resolves when the text is out, since the process ends right after. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

function report(error: unknown, isJson: boolean): number {
  const text = error instanceof Error ? error.message : String(error);
  if (isJson) process.stdout.write(`${JSON.stringify({ error: text })}\n`);
  if (error instanceof UsageError) {
    process.stderr.write(`${text}\n\n${MODELS_USAGE}\n`);
    return 2;
  }
  const isKnown = error instanceof ModelsError || error instanceof ConfigError;
  process.stderr.write(isKnown || !(error instanceof Error) ? `${text}\n` : `${error.stack ?? text}\n`);
  return 1;
}
