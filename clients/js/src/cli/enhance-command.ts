import { AbortedError, ImageEnhancementError } from '../errors.js';
import { throwIfAborted } from '../http/throw-if-aborted.js';
import type { Output } from '../generated/schema.js';
import type { ImageEnhancement } from '../node.js';
import type { EnhanceOptions } from '../enhance.js';
import type { OperationName } from '../jobs/order.js';
import type { EnhanceResult } from '../result.js';
import { type CommandLine, UsageError } from './arguments.js';
import { describeError, errorJson } from './describe-error.js';
import { commonExitCode, exitCodeOf } from './exit-code.js';
import { findFiles } from './find-files.js';
import { OutputPaths } from './output-path.js';
import { ProgressBar } from './progress-bar.js';

/** Where the program reads and writes. */
export interface Streams {
  readonly stdin: NodeJS.ReadableStream & AsyncIterable<Uint8Array>;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Enhances every image that was named, several at once. @returns the exit code */
export async function enhanceCommand(
  client: ImageEnhancement,
  line: CommandLine,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const files = await findFiles(line.files);
  if (files.length === 0) throw new UsageError('Name at least one image: enhance photo.jpg');
  return new EnhanceRun(client, line, streams, files, signal).all();
}

class EnhanceRun {
  private readonly codes: number[] = [];
  private readonly bar: ProgressBar;
  private readonly paths: OutputPaths;
  private readonly waiting: string[];
  private unfinished: number;
  private background: Promise<Output['background'] | undefined> | undefined;

  constructor(
    private readonly client: ImageEnhancement,
    private readonly line: CommandLine,
    private readonly streams: Streams,
    files: readonly string[],
    private readonly signal: AbortSignal,
  ) {
    this.paths = new OutputPaths(files, line);
    this.waiting = [...files];
    this.unfinished = this.waiting.length;
    const isWanted = streams.stderr.isTTY && !line.quiet && !line.json;
    this.bar = new ProgressBar(streams.stderr, files.length, isWanted);
  }

  async all(): Promise<number> {
    const lanes = Math.min(this.line.concurrency, this.waiting.length);
    await Promise.all(Array.from({ length: lanes }, () => this.lane()));
    this.bar.clear();
    // What came after all was done changes nothing.
    if (this.unfinished > 0) throwIfAborted(this.signal);
    return commonExitCode(this.codes);
  }

  private async lane(): Promise<void> {
    for (let file = this.waiting.shift(); file !== undefined; file = this.waiting.shift()) {
      if (this.signal.aborted) return;
      try {
        await this.one(file);
        this.unfinished -= 1;
      } catch (error) {
        // After an interrupt, only jobs that may continue are reported.
        if (this.signal.aborted && !hasLeftover(error)) return;
        if (!this.signal.aborted) this.unfinished -= 1;
        this.codes.push(exitCodeOf(error));
        this.report(file, error);
      }
      this.bar.finish(file);
    }
  }

  private async one(file: string): Promise<void> {
    const { line, signal } = this;
    if (line.dryRun) return this.dryRun(file);
    const startedMs = performance.now();
    const result = await this.client.enhance(file === '-' ? this.streams.stdin : file, {
      // The service refuses an unknown operation; its own models may add some.
      operation: line.operation as OperationName,
      ...(line.level === undefined ? {} : { level: line.level }),
      ...line.options.step,
      ...(await this.output()),
      ...this.terms(),
      signal,
      timeoutMs: line.timeoutMs,
      onProgress: ({ phase, progress, queuePosition }) => {
        const place = queuePosition === null ? '' : ` (${queuePosition}. in the queue)`;
        this.bar.update(file, `${phase}${place}`, progress);
      },
    });
    const path = await this.write(file, result);
    const seconds = (performance.now() - startedMs) / 1000;
    this.tell(file, path, result, seconds);
  }

  /** Uploads an image and says what enhancing it would cost. */
  private async dryRun(file: string): Promise<void> {
    const { line, signal } = this;
    const source = await this.client.upload(file === '-' ? this.streams.stdin : file, { signal });
    const would = await this.client.jobs.dryRun(
      {
        sourceUrl: source.url,
        operation: line.operation as OperationName,
        ...(line.level === undefined ? {} : { level: line.level }),
        ...(line.cache === undefined ? {} : { cache: line.cache }),
        ...line.options.step,
        ...(await this.output()),
      },
      { signal },
    );
    this.bar.clear();
    if (line.json) this.streams.stdout.write(`${JSON.stringify({ file, dryRun: would })}\n`);
    else if (!line.quiet) {
      const { cost, estimatedSeconds, result, quota } = would;
      const time = estimatedSeconds === null ? '' : `, about ${estimatedSeconds} s`;
      this.streams.stdout.write(
        `${file}: would cost ${cost} of ${quota.remaining} enhancements: ${result.width}×${result.height} ${result.format}${time}\n`,
      );
    }
  }

  private terms(): Pick<EnhanceOptions, 'cache' | 'callbackUrl' | 'cancelAfter' | 'expiresIn'> {
    const { cache, callbackUrl, cancelAfter, expiresIn } = this.line;
    return {
      ...(cache === undefined ? {} : { cache }),
      ...(callbackUrl === undefined ? {} : { callbackUrl }),
      ...(cancelAfter === undefined ? {} : { cancelAfter }),
      ...(expiresIn === undefined ? {} : { expiresIn }),
    };
  }

  private async output(): Promise<{ output?: Output }> {
    const { format, options } = this.line;
    const background = await (this.background ??= this.uploadBackground());
    const given: Output = {
      ...(format === undefined ? {} : { format }),
      ...options.output,
      ...(background === undefined ? {} : { background }),
    };
    return Object.keys(given).length === 0 ? {} : { output: given };
  }

  /** A color as it is; a picture is uploaded once for all images. */
  private async uploadBackground(): Promise<Output['background'] | undefined> {
    const { background, backgroundFit: fit } = this.line.options;
    if (background === undefined || background.startsWith('#')) return background;
    const { url: sourceUrl } = await this.client.upload(background, { signal: this.signal });
    return fit === undefined ? { sourceUrl } : { sourceUrl, fit };
  }

  /** @returns where it was written @throws ImageEnhancementError with the job, which was paid for */
  private async write(file: string, result: EnhanceResult): Promise<string> {
    try {
      // Looked at again: others write files, too, and the service may have chosen another format than the name said.
      const path = this.paths.of(file, result.info.format);
      if (path === '-') await this.writeOut(await result.bytes({ signal: this.signal }));
      else await result.save(path, { signal: this.signal });
      return path;
    } catch (error) {
      throw notSaved(error, result.job.id, this.signal);
    }
  }

  private async writeOut(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((done, failed) => {
      this.streams.stdout.write(bytes, (error) => (error == null ? done() : failed(error)));
    });
  }

  private tell(file: string, path: string, result: EnhanceResult, seconds: number): void {
    const { job, info } = result;
    // Standard output is the image's when it goes there.
    const out = this.paths.isStandard ? this.streams.stderr : this.streams.stdout;
    this.bar.clear();
    if (this.line.json) out.write(`${JSON.stringify({ file, output: path, job })}\n`);
    else if (!this.line.quiet) {
      const size = `${info.width}×${info.height}, ${(info.bytes / 1e6).toFixed(1)} MB`;
      out.write(`${file} → ${path} (${size}, ${seconds.toFixed(1)} s)\n`);
    }
  }

  private report(file: string, error: unknown): void {
    this.bar.clear();
    if (this.line.json) {
      const out = this.paths.isStandard ? this.streams.stderr : this.streams.stdout;
      out.write(`${JSON.stringify({ file, error: errorJson(error) })}\n`);
    } else this.streams.stderr.write(`${file}: ${describeError(error)}\n`);
  }
}

/** Whether an aborted call may have left a job behind. */
function hasLeftover(error: unknown): boolean {
  return error instanceof AbortedError && (error.jobId !== null || error.idempotencyKey !== null);
}

/** What kept a result from being written, with the job that still has it. */
function notSaved(error: unknown, jobId: string, signal: AbortSignal): unknown {
  if (signal.aborted) {
    const text = `The job ${jobId} had completed; its result was not saved, the service keeps it for now.`;
    return new AbortedError(text, jobId, { cause: signal.reason });
  }
  const isOfDisk = error instanceof UsageError || (error as { code?: string }).code === 'not_saved';
  if (!isOfDisk) {
    if (error instanceof ImageEnhancementError) error.jobId ??= jobId;
    return error;
  }
  const text = `The result could not be written: ${(error as Error).message} The job ${jobId} keeps it for now.`;
  const failure = new ImageEnhancementError('not_saved', text, { cause: error });
  failure.jobId = jobId;
  return failure;
}
