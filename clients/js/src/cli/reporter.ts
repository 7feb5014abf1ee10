import type { DryRun } from '../generated/schema.js';
import type { EnhanceResult } from '../result.js';
import type { CommandLine } from './arguments.js';
import { describeError, errorJson } from './describe-error.js';
import type { ProgressBar } from './progress-bar.js';
import { sizeText } from './size-text.js';

/** The program's input and output streams. */
export interface Streams {
  readonly stdin: NodeJS.ReadableStream & AsyncIterable<Uint8Array>;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Reports the outcome of each image, as text or as JSON. */
export class Reporter {
  /** @param out where JSON lines and results go: standard output, unless the image goes there */
  constructor(
    private readonly line: CommandLine,
    private readonly out: NodeJS.WriteStream,
    private readonly err: NodeJS.WriteStream,
    private readonly bar: ProgressBar,
  ) {}

  enhanced(file: string, path: string, result: EnhanceResult, seconds: number): void {
    const { job, info } = result;
    this.bar.clear();
    if (this.line.json) this.print({ file, output: path, job });
    else if (!this.line.quiet) {
      const size = `${info.width}×${info.height}, ${sizeText(info.bytes)}`;
      this.out.write(`${file} → ${path} (${size}, ${seconds.toFixed(1)} s)\n`);
    }
  }

  wouldCost(file: string, would: DryRun): void {
    this.bar.clear();
    if (this.line.json) this.print({ file, dryRun: would });
    else if (!this.line.quiet) {
      const { cost, estimatedSeconds, result, quota } = would;
      const time = estimatedSeconds === null ? '' : `, about ${estimatedSeconds} s`;
      this.out.write(
        `${file}: would cost ${cost} of ${quota.remaining} enhancements: ${result.width}×${result.height} ${result.format}${time}\n`,
      );
    }
  }

  /** With --skip-existing, an image whose result exists. */
  skipped(file: string, path: string): void {
    this.bar.clear();
    if (this.line.json) this.print({ file, output: path, skipped: true });
    else if (!this.line.quiet) this.out.write(`${file}: skipped, because ${path} exists\n`);
  }

  /** The result of a job that was named on the command line. */
  downloaded(id: string, path: string, result: EnhanceResult): void {
    const { job, info } = result;
    this.bar.clear();
    if (this.line.json) this.print({ output: path, job });
    else if (!this.line.quiet) {
      this.out.write(`${id} → ${path} (${info.width}×${info.height}, ${sizeText(info.bytes)})\n`);
    }
  }

  /** @param command downloads the result that the job may have */
  failed(file: string, error: unknown, command?: string): void {
    this.bar.clear();
    const hint = command === undefined ? '' : `\n  To download its result: ${command}`;
    if (!this.line.json) this.err.write(`${file}: ${describeError(error)}${hint}\n`);
    else this.print({ file, error: { ...errorJson(error), ...(command === undefined ? {} : { command }) } });
  }

  /** Prints a note for people. Omitted in JSON mode. */
  note(text: string): void {
    this.bar.clear();
    if (!this.line.json && !this.line.quiet) this.out.write(`${text}\n`);
  }

  /** Tells people something on standard error, in JSON mode, too. */
  warn(text: string): void {
    this.bar.clear();
    if (!this.line.quiet) this.err.write(`${text}\n`);
  }

  private print(value: unknown): void {
    this.out.write(`${JSON.stringify(value)}\n`);
  }
}
