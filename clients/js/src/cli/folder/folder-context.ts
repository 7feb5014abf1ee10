import type { ImageEnhancement } from '../../node.js';
import type { CommandLine } from '../arguments.js';
import { OutputPaths } from '../output/output-path.js';
import { ProgressBar } from '../progress-bar.js';
import { Reporter, type Streams } from '../reporter.js';
import { FolderImages } from './folder-images.js';
import { FolderReport } from './folder-report.js';
import type { FolderJournal } from './journal.js';

/** Where a run works, and for whom. */
interface FolderWork {
  readonly client: ImageEnhancement;
  readonly line: CommandLine;
  readonly journal: FolderJournal;
  readonly streams: Streams;
  readonly signal: AbortSignal;
}

/** What the parts of a run over a folder share. */
export interface FolderContext extends FolderWork {
  readonly images: FolderImages;
  readonly paths: OutputPaths;
  readonly bar: ProgressBar;
  readonly report: FolderReport;
}

/** @throws UsageError when a result would overwrite another file */
export function folderContext(work: FolderWork, files: readonly string[]): FolderContext {
  const { line, journal } = work;
  const { stdout, stderr } = work.streams;
  const all = new FolderImages(files, journal);
  const paths = new OutputPaths(all.names, line, all.outputsIn(line.output!));
  const images = new FolderImages(files, journal, paths.existing);
  const isWanted = stderr.isTTY && !line.quiet && !line.json;
  const bar = new ProgressBar(stderr, images.names.length, isWanted);
  const report = new FolderReport(new Reporter(line, stdout, stderr, bar), images);
  for (const [name, path] of paths.existing) report.skipped(all.typed(name), path);
  return { ...work, images, paths, bar, report };
}
