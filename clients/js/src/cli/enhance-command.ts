import { AbortedError } from '../errors.js';
import { throwIfAborted } from '../http/throw-if-aborted.js';
import type { ImageEnhancement } from '../node.js';
import type { EnhanceResult } from '../result.js';
import { type CommandLine, UsageError } from './arguments.js';
import { commonExitCode, exitCodeOf } from './exit-code.js';
import { findFiles, hasFolder } from './find-files.js';
import { folderCommand } from './folder/folder-command.js';
import { OutputPaths } from './output/output-path.js';
import { ProgressBar } from './progress-bar.js';
import { Reporter, type Streams } from './reporter.js';
import { RequestParts } from './request-parts.js';
import { downloadLine, notSaved } from './output/unsaved-result.js';
import { writeOut } from './output/write-out.js';

/** Enhances every given image, several at a time. @returns the exit code */
export async function enhanceCommand(
  client: ImageEnhancement,
  line: CommandLine,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const files = await findFiles(line.files);
  if (files.length === 0) throw new UsageError('Name at least one image: enhance photo.jpg');
  if (!line.dryRun && (await hasFolder(line.files))) {
    return folderCommand(client, line, files, streams, signal);
  }
  return new EnhanceRun(client, line, streams, files, signal).all();
}

class EnhanceRun {
  private readonly codes: number[] = [];
  private readonly bar: ProgressBar;
  private readonly paths: OutputPaths;
  private readonly waiting: string[];
  private unfinished: number;
  private readonly parts: RequestParts;
  private readonly reporter: Reporter;

  constructor(
    private readonly client: ImageEnhancement,
    private readonly line: CommandLine,
    private readonly streams: Streams,
    files: readonly string[],
    private readonly signal: AbortSignal,
  ) {
    this.paths = new OutputPaths(files, line);
    this.waiting = files.filter((file) => !this.paths.existing.has(file));
    this.unfinished = this.waiting.length;
    const isWanted = streams.stderr.isTTY && !line.quiet && !line.json;
    this.bar = new ProgressBar(streams.stderr, this.waiting.length, isWanted);
    this.parts = new RequestParts(client, line, signal);
    // When the image goes to standard output, nothing else may be written there.
    const out = this.paths.isStandard ? streams.stderr : streams.stdout;
    this.reporter = new Reporter(line, out, streams.stderr, this.bar);
  }

  async all(): Promise<number> {
    for (const [file, path] of this.paths.existing) this.reporter.skipped(file, path);
    const lanes = Math.min(this.line.concurrency, this.waiting.length);
    await Promise.all(Array.from({ length: lanes }, () => this.lane()));
    this.bar.clear();
    // An abort after the last image has no effect.
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
        const target = this.paths.downloadTarget(file);
        this.reporter.failed(file, error, downloadLine(error, target, this.line));
      }
      this.bar.finish(file);
    }
  }

  private async one(file: string): Promise<void> {
    const { line, signal } = this;
    if (line.dryRun) return this.dryRun(file);
    const startedMs = performance.now();
    const result = await this.client.enhance(file === '-' ? this.streams.stdin : file, {
      ...line.work.order,
      ...(await this.parts.output()),
      ...this.parts.terms(),
      signal,
      timeoutMs: line.timeoutMs,
      direct: line.direct,
      onProgress: ({ phase, progress, queuePosition }) => {
        // The bar shows the progress of the job. Upload progress is text only, so that the bar never moves back.
        if (phase === 'uploading')
          return this.bar.update(file, `uploading ${Math.floor(progress * 100)}%`, 0);
        const place = queuePosition === null ? '' : ` (${queuePosition}. in the queue)`;
        this.bar.update(file, `${phase}${place}`, progress);
      },
    });
    const path = await this.write(file, result);
    const seconds = (performance.now() - startedMs) / 1000;
    this.reporter.enhanced(file, path, result, seconds);
  }

  /** Uploads an image and prints the cost of enhancing it. */
  private async dryRun(file: string): Promise<void> {
    const { line, signal, parts } = this;
    const source = await this.client.upload(file === '-' ? this.streams.stdin : file, {
      signal,
      direct: line.direct,
    });
    const { cache } = parts.terms();
    const order = {
      ...line.work.order,
      ...(await parts.output()),
      ...(cache === undefined ? {} : { cache }),
    };
    this.reporter.wouldCost(
      file,
      await this.client.jobs.dryRun({ sourceUrl: source.url, ...order }, { signal }),
    );
  }

  /** @returns the path of the file @throws ImageEnhancementError with the job, which was paid for */
  private async write(file: string, result: EnhanceResult): Promise<string> {
    try {
      // Check again, because another program may have written the file, and the service may have chosen another format
      // than the name suggests.
      const path = this.paths.of(file, result.info.format);
      if (path === '-') await writeOut(this.streams.stdout, await result.bytes({ signal: this.signal }));
      else await result.save(path, { signal: this.signal });
      return path;
    } catch (error) {
      throw notSaved(error, result.job.id, this.signal);
    }
  }
}

/** Whether an aborted call may have left a job behind. */
function hasLeftover(error: unknown): boolean {
  return error instanceof AbortedError && (error.jobId !== null || error.idempotencyKey !== null);
}
