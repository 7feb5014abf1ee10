import type { EnhanceResult } from '../../result.js';
import { commonExitCode, exitCodeOf } from '../exit-code.js';
import type { Reporter } from '../reporter.js';
import type { FolderImages } from './folder-images.js';

/** Reports the outcomes of a run's images, under the names that the user typed. */
export class FolderReport {
  private readonly codes: number[] = [];

  constructor(
    private readonly reporter: Reporter,
    private readonly images: FolderImages,
  ) {}

  /** Zero, unless an image has failed. */
  get exitCode(): number {
    return commonExitCode(this.codes);
  }

  note(text: string): void {
    this.reporter.note(text);
  }

  warn(text: string): void {
    this.reporter.warn(text);
  }

  enhanced(name: string, output: string, result: EnhanceResult): void {
    const seconds = (result.job.timings?.totalMs ?? 0) / 1000;
    this.reporter.enhanced(this.images.typed(name), output, result, seconds);
  }

  skipped(file: string, path: string): void {
    this.reporter.skipped(file, path);
  }

  failed(name: string, error: unknown): void {
    this.codes.push(exitCodeOf(error));
    this.reporter.failed(this.images.typed(name), error);
  }
}
