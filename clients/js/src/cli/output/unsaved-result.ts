import process from 'node:process';
import { AbortedError, GoneError, ImageEnhancementError, JobFailedError } from '../../errors.js';
import type { CommandLine } from '../arguments.js';
import { UsageError } from '../values.js';

/**
 * The error that prevented a result from being written, with the id of the job that still has the result.
 * @param advice what to do about a disk that is full or refuses the file
 */
export function notSaved(error: unknown, jobId: string, signal: AbortSignal, advice = ''): unknown {
  if (signal.aborted) {
    const text = `The job ${jobId} had completed; its result was not saved, the service keeps it for now.`;
    return new AbortedError(text, jobId, { cause: signal.reason });
  }
  const isOfDisk = error instanceof UsageError || (error as { code?: string }).code === 'not_saved';
  if (!isOfDisk) {
    if (error instanceof ImageEnhancementError) error.jobId ??= jobId;
    return error;
  }
  const text = `The result could not be written: ${(error as Error).message} The job ${jobId} keeps it for now.${advice}`;
  const failure = new ImageEnhancementError('not_saved', text, { cause: error });
  failure.jobId = jobId;
  return failure;
}

/**
 * The command that downloads the result which a run has not saved; undefined when there is none.
 * @param target where the run would have written it: a file, a folder that ends with a slash, or `-`
 */
export function downloadLine(error: unknown, target: string, line: CommandLine): string | undefined {
  if (!(error instanceof ImageEnhancementError) || error.jobId === null) return undefined;
  if (error instanceof JobFailedError || error instanceof GoneError) return undefined;
  const isHere = target === './';
  return [
    'npx image-enhancement-client download',
    error.jobId,
    ...(isHere ? [] : ['-o', quoted(target)]),
    ...(line.force ? ['--force'] : []),
    ...(line.url === undefined ? [] : ['--url', quoted(line.url)]),
  ].join(' ');
}

/** As one word of the shell. */
function quoted(text: string): string {
  // The parser of the arguments takes a value that begins with a hyphen for an option.
  const word = /^-./.test(text) ? `./${text}` : text;
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
