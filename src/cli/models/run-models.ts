import { ConfigError, readConfig } from '../../config/env.js';
import { isFullDisk } from '../../infra/storage/storage-fault.js';
import { mirroredModels } from '../../models/mirror/mirrored-models.js';
import { type CommandLine, readCommandLine, UsageError, usageFault } from '../command-line.mjs';
import { type ModelsCommand, ModelsError } from './models-command.js';
import { type CommandExtension, modelsProgram } from './models-program.js';
import { progressBar } from './progress.js';

/** Exit code after Ctrl-C, by shell convention. */
export const INTERRUPTED = 130;

/**
 * Runs `npm run models`.
 * @param extend declares additional commands
 * @returns exit code: 0 success, 1 rejected or failed, 2 invalid arguments, 130 interrupted
 */
export async function runModels(argv: readonly string[], extend?: CommandExtension): Promise<number> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new ModelsError('Interrupted.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  // Read before parsing, so that an invalid command line is reported as JSON, too.
  const isJson = argv.includes('--json');
  const progress = progressBar(!isJson);
  const chosen: ModelsCommand[] = [];
  const choose = (command: ModelsCommand): void => void chosen.push(command);
  const program = modelsProgram(choose);
  extend?.(program, choose);
  try {
    if (!readCommandLine(program, argv)) return 0;
    const config = readConfig();
    (await mirroredModels(config, (_, message) => process.stderr.write(`${message}\n`)))?.close();
    const context = { config, isJson, progress, signal: interruption.signal };
    const { json, text, failed } = await Promise.race([
      chosen[0]!(context),
      interrupted(interruption.signal),
    ]);
    await print(isJson ? `${JSON.stringify(json)}\n` : `${text}\n`);
    return failed === true ? 1 : 0;
  } catch (error) {
    progress.end();
    const code = report(program, error, isJson);
    return interruption.signal.aborted ? INTERRUPTED : code;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

/** Rejects when the user interrupts. Not every command can check the signal itself. */
function interrupted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Resolves when the text was written, because the process ends right after. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

function report(program: CommandLine, error: unknown, isJson: boolean): number {
  const text = textOf(error);
  if (isJson) process.stdout.write(`${JSON.stringify({ error: text })}\n`);
  if (error instanceof UsageError) {
    process.stderr.write(usageFault(program, error));
    return 2;
  }
  const isKnown = error instanceof ModelsError || error instanceof ConfigError || isFullDisk(error);
  process.stderr.write(isKnown || !(error instanceof Error) ? `${text}\n` : `${error.stack ?? text}\n`);
  return 1;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isFullDisk(error)) return error.message;
  const { path, dest = path } = error as NodeJS.ErrnoException & { readonly dest?: string };
  return `The disk is full${dest === undefined ? '' : `: ${dest} cannot be written`}. Make room and run the same command again.`;
}
