import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AbortedError } from '../errors.js';
import type { ImageEnhancement } from '../node.js';
import type { EnhanceResult } from '../result.js';
import { type CommandLine, UsageError } from './arguments.js';
import { describeError, errorJson } from './describe-error.js';
import { commonExitCode, exitCodeOf } from './exit-code.js';
import { findFiles } from './find-files.js';
import { outputPaths } from './output-path.js';
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
  const run = new EnhanceRun(client, line, streams, outputPaths(files, line), signal);
  return run.all();
}

class EnhanceRun {
  private readonly codes: number[] = [];
  private readonly bar: ProgressBar;
  private readonly waiting: string[];
  private unfinished: number;

  constructor(
    private readonly client: ImageEnhancement,
    private readonly line: CommandLine,
    private readonly streams: Streams,
    private readonly paths: ReadonlyMap<string, string>,
    private readonly signal: AbortSignal,
  ) {
    this.waiting = [...paths.keys()];
    this.unfinished = this.waiting.length;
    const isWanted = streams.stderr.isTTY && !line.quiet && !line.json;
    this.bar = new ProgressBar(streams.stderr, paths.size, isWanted);
  }

  async all(): Promise<number> {
    const lanes = Math.min(this.line.concurrency, this.waiting.length);
    await Promise.all(Array.from({ length: lanes }, () => this.lane()));
    this.bar.clear();
    // What came after all was done changes nothing.
    if (this.unfinished > 0) this.signal.throwIfAborted();
    return commonExitCode(this.codes);
  }

  private async lane(): Promise<void> {
    for (let file = this.waiting.shift(); file !== undefined; file = this.waiting.shift()) {
      if (this.signal.aborted) return;
      try {
        await this.one(file);
        this.unfinished -= 1;
      } catch (error) {
        // Only what an interrupt left behind is worth a word after it.
        if (this.signal.aborted && !(error instanceof AbortedError)) return;
        if (!this.signal.aborted) this.unfinished -= 1;
        this.codes.push(exitCodeOf(error));
        this.report(file, error);
      }
      this.bar.finish(file);
    }
  }

  private async one(file: string): Promise<void> {
    const { line, signal } = this;
    const startedMs = performance.now();
    const path = this.paths.get(file)!;
    const result = await this.client.enhance(file === '-' ? this.streams.stdin : file, {
      operation: line.operation,
      ...(line.level === undefined ? {} : { level: line.level }),
      ...this.output(),
      signal,
      timeoutMs: line.timeoutMs,
      onProgress: ({ phase, progress, queuePosition }) => {
        const place = queuePosition === null ? '' : ` (${queuePosition}. in the queue)`;
        this.bar.update(file, `${phase}${place}`, progress);
      },
    });
    await this.write(result, path);
    const seconds = (performance.now() - startedMs) / 1000;
    this.tell(file, path, result, seconds);
  }

  private output(): { output?: Record<string, string | number> } {
    const { format, quality, background } = this.line;
    const given = {
      ...(format === undefined ? {} : { format }),
      ...(quality === undefined ? {} : { quality }),
      ...(background === undefined ? {} : { background }),
    };
    return Object.keys(given).length === 0 ? {} : { output: given };
  }

  private async write(result: EnhanceResult, path: string): Promise<void> {
    if (path !== '-') {
      await mkdir(dirname(path), { recursive: true });
      await result.save(path, { signal: this.signal });
      return;
    }
    const bytes = await result.bytes({ signal: this.signal });
    await new Promise<void>((done, failed) => {
      this.streams.stdout.write(bytes, (error) => (error == null ? done() : failed(error)));
    });
  }

  private tell(file: string, path: string, result: EnhanceResult, seconds: number): void {
    const { job, info } = result;
    // Standard output is the image's when it goes there.
    const out = path === '-' ? this.streams.stderr : this.streams.stdout;
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
      const out = this.paths.get(file) === '-' ? this.streams.stderr : this.streams.stdout;
      out.write(`${JSON.stringify({ file, error: errorJson(error) })}\n`);
    } else this.streams.stderr.write(`${file}: ${describeError(error)}\n`);
  }
}
