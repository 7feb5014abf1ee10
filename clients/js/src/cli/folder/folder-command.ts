import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ImageEnhancement } from '../../node.js';
import { type CommandLine, UsageError } from '../arguments.js';
import { findOtherImages, findSubfolders } from '../find-files.js';
import { makeFolder } from '../output/output-folder.js';
import type { Streams } from '../reporter.js';
import { withoutResults } from './earlier-results.js';
import { folderContext } from './folder-context.js';
import { lockFolder } from './folder-lock.js';
import { FolderRun } from './folder-run.js';
import { FolderJournal } from './journal.js';

/**
 * Enhances images as batches, with their results in one folder. A journal in that folder records the progress, so that
 * the same command continues after any interruption and pays for nothing twice.
 * @returns the exit code
 */
export async function folderCommand(
  client: ImageEnhancement,
  line: CommandLine,
  files: readonly string[],
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const folder = folderOf(line, files);
  // Each order has its own journal, so that a folder can hold the results of several.
  const order = [line.work.order, line.format, line.options];
  const digest = createHash('sha256').update(JSON.stringify(order)).digest('hex').slice(0, 16);
  const unlock = await lockFolder(join(folder, `.enhance-${digest}.lock`));
  try {
    const journal = await FolderJournal.open(join(folder, `.enhance-${digest}.jsonl`));
    try {
      const work = { client, line: { ...line, output: `${folder}/` }, journal, streams, signal };
      const inputs = await withoutResults(files, work.line.output);
      const context = folderContext(work, inputs);
      if (inputs.length === 0 && context.images.names.length === 0) throw onlyResults(line);
      // In JSON mode, too, because these images have no line of their own.
      if (inputs.length < files.length) context.report.warn(leftOut(inputs.length, files.length));
      const others = await findOtherImages(line.files);
      if (others.length > 0) context.report.warn(otherTypes(others));
      const subfolders = await findSubfolders(line.files, folder);
      if (subfolders.length > 0) context.report.warn(unsearched(subfolders));
      return await new FolderRun(context).all();
    } finally {
      await journal.close();
    }
  } finally {
    await unlock();
  }
}

function leftOut(inputCount: number, count: number): string {
  return `${count - inputCount} of ${count} images are left out: results of earlier runs. To enhance them, choose another --out.`;
}

/** Names as many as fit on a line. */
const MAX_NAMED = 3;

function otherTypes(files: readonly string[]): string {
  return `Left out, because only .jpg, .jpeg, .png, .webp and .avif files of a folder are enhanced: ${someOf(files)}`;
}

function unsearched(folders: readonly string[]): string {
  return `Left out, because the images of a subfolder are enhanced only if you name it, too: ${someOf(folders)}`;
}

function someOf(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return `${paths.slice(0, MAX_NAMED).join(', ')}${more}`;
}

function onlyResults({ output }: CommandLine): UsageError {
  return new UsageError(
    `Every image is a result that an earlier run has written into ${output}. To enhance these results, choose another --out.`,
  );
}

/** @throws UsageError for options that batches do not support */
function folderOf(line: CommandLine, files: readonly string[]): string {
  const { output } = line;
  if (output === undefined || output === '-') {
    throw new UsageError('Name a folder for the results of a folder: --out done/');
  }
  if (files.includes('-')) throw new UsageError('Standard input cannot be part of a folder.');
  const folder = output.replace(/[/\\]+$/, '');
  makeFolder(folder === '' ? '/' : folder);
  return folder;
}
