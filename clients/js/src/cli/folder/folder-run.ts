import { basename } from 'node:path';
import { GoneError, ImageEnhancementError, JobFailedError, NotFoundError } from '../../errors.js';
import { isVerdict } from '../../http/unacknowledged-attempts.js';
import { throwIfAborted } from '../../http/throw-if-aborted.js';
import type { Job } from '../../generated/schema.js';
import type { ImageEnhancement } from '../../node.js';
import type { CommandLine } from '../arguments.js';
import { commonExitCode, exitCodeOf } from '../exit-code.js';
import { OutputPaths } from '../output-path.js';
import { ProgressBar } from '../progress-bar.js';
import { Reporter, type Streams } from '../reporter.js';
import { RequestParts } from '../request-parts.js';
import { BatchRequests } from './batch-requests.js';
import { cancelBatches } from './cancel-batches.js';
import { FolderImages } from './folder-images.js';
import { isOfImage, stampOf } from './image-file.js';
import type { FolderJournal, JournaledBatch } from './journal.js';
import { runLanes } from './lanes.js';
import { uploadImage } from './upload-image.js';

/** Maximum items of a batch in the service. */
const MAX_BATCH_ITEMS = 1_000;

/** One run over a folder: uploads images, sends batches, waits for them, and saves their results. */
export class FolderRun {
  private readonly requests: BatchRequests;
  private readonly codes: number[] = [];
  private images!: FolderImages;
  private paths!: OutputPaths;
  private bar!: ProgressBar;
  private reporter!: Reporter;

  constructor(
    private readonly client: ImageEnhancement,
    private readonly line: CommandLine,
    private readonly journal: FolderJournal,
    private readonly streams: Streams,
    private readonly signal: AbortSignal,
  ) {
    this.requests = new BatchRequests(client, line, journal);
  }

  /** @returns the exit code @throws the error that stopped the run early */
  async all(files: readonly string[]): Promise<number> {
    this.prepare(files);
    const refusals: unknown[] = [];
    try {
      await this.uploadAll();
      const unplanned = this.waiting();
      const send = async (key: string, batch: JournaledBatch): Promise<void> => {
        await this.send(key, batch).catch((error: unknown) => refusals.push(error));
        throwIfAborted(this.signal);
      };
      for (const [key, batch] of this.journal.openBatches) await send(key, batch);
      for await (const [key, batch] of this.planned(unplanned)) await send(key, batch);
      for (const [key, batch] of this.journal.openBatches) {
        if (batch.id === undefined) continue;
        await this.collect(key, batch, batch.id).catch((error: unknown) => {
          // The other batches would fail in the same way.
          if (!isOfImage(error)) throw error;
          refusals.push(error);
        });
      }
    } catch (error) {
      if (this.signal.aborted)
        await cancelBatches(this.client, this.requests, this.journal, this.streams.stderr);
      throw error;
    } finally {
      this.bar.clear();
    }
    if (refusals.length > 0) throw refusals[0];
    return commonExitCode(this.codes);
  }

  private prepare(files: readonly string[]): void {
    this.images = new FolderImages(files, this.journal);
    const { names } = this.images;
    const { stdout, stderr } = this.streams;
    const isWanted = stderr.isTTY && !this.line.quiet && !this.line.json;
    this.bar = new ProgressBar(stderr, names.length, isWanted);
    this.reporter = new Reporter(this.line, stdout, stderr, this.bar);
    this.paths = new OutputPaths(names, this.line, this.images.outputsIn(this.line.output!));
  }

  private async uploadAll(): Promise<void> {
    const { images } = this;
    const waiting: string[] = [];
    for (const name of images.free) {
      const stamp = await stampOf(name);
      const isNew = images.known(name).stamp !== stamp;
      if (isNew) await this.journal.noteImage(name, { stamp, sourceUrl: null, isSaved: false });
      if (!images.isSaved(name) && images.known(name).sourceUrl == null) waiting.push(name);
    }
    const done = images.savedInputCount;
    if (done > 0) this.reporter.note(`${done} of ${images.inputCount} images were done before.`);
    let count = images.names.length - waiting.length;
    await runLanes(waiting, this.line.concurrency, this.signal, async (name) => {
      this.bar.stage('uploading', count);
      await this.upload(name);
      count += 1;
    });
  }

  private async upload(name: string): Promise<void> {
    const { uploads = 0 } = this.images.known(name);
    const key = `${this.journal.run}-${uploads}`;
    try {
      const { url } = await uploadImage(this.client, this.images.typed(name), key, {
        signal: this.signal,
        direct: this.line.direct,
      });
      await this.journal.noteImage(name, { sourceUrl: url });
    } catch (error) {
      // The other images would fail in the same way.
      if (!isOfImage(error)) throw error;
      this.fail(name, error);
    }
  }

  /** All uploaded images without a result. */
  private waiting(): readonly string[] {
    const { images } = this;
    return images.free.filter((name) => !images.isSaved(name) && images.known(name).sourceUrl != null);
  }

  /** Puts images into batches. Each is recorded only when the one before was sent. */
  private async *planned(waiting: readonly string[]): AsyncGenerator<readonly [string, JournaledBatch]> {
    const { images, journal } = this;
    const parts = new RequestParts(this.client, this.line, this.signal);
    if (waiting.length > 0 && journal.output === undefined) await journal.noteOutput(await parts.output());
    for (let at = 0; at < waiting.length; at += MAX_BATCH_ITEMS) {
      const files = waiting.slice(at, at + MAX_BATCH_ITEMS);
      const sourceUrls = files.map((name) => images.known(name).sourceUrl!);
      const key = `${journal.run}-batch-${journal.batchCount}`;
      const batch = { files, sourceUrls, terms: parts.terms(), sentAtMs: Date.now() };
      await journal.noteBatch(key, batch);
      yield [key, batch];
    }
  }

  /** Creates a batch, unless it already exists. */
  private async send(key: string, batch: JournaledBatch): Promise<void> {
    const { signal } = this;
    if (batch.isCanceled === true)
      return this.unlessLost(key, batch, () => this.requests.retry(key, batch, { signal }));
    if (batch.id !== undefined) return;
    this.bar.stage('sending', 0);
    try {
      await this.requests.create(key, batch, { signal });
    } catch (error) {
      if (isVerdict(error)) await this.giveUp(key, batch, error);
      throw error;
    }
  }

  /** The service has rejected the batch and would do so again. Its images become available for the next run. */
  private async giveUp(key: string, { files }: JournaledBatch, error: unknown): Promise<void> {
    const isSourceGone =
      error instanceof GoneError ||
      error instanceof NotFoundError ||
      (error as ImageEnhancementError).code === 'invalid_request';
    for (const name of isSourceGone ? files : []) {
      const { uploads = 0 } = this.images.known(name);
      await this.journal.noteImage(name, { sourceUrl: null, uploads: uploads + 1 });
    }
    await this.journal.noteBatch(key, { hasEnded: true });
  }

  /** Work on a batch that the service may not have any more, or never had under this key and URL. */
  private async unlessLost(key: string, batch: JournaledBatch, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isLost(error)) throw error;
      await this.giveUp(key, batch, error);
      for (const name of batch.files) {
        if (!this.images.isSaved(name)) this.fail(name, error);
      }
      this.reporter.note('The same command enhances these images again.');
    }
  }

  private collect(key: string, batch: JournaledBatch, id: string): Promise<void> {
    return this.unlessLost(key, batch, async () => {
      const jobs = await this.finished(batch, id);
      const isOver = await this.saveAll(batch, jobs);
      if (isOver) await this.journal.noteBatch(key, { hasEnded: true });
    });
  }

  /** Waits for a batch. @returns its jobs */
  private async finished({ files }: JournaledBatch, id: string): Promise<readonly Job[]> {
    const { client, signal } = this;
    const before = this.images.names.length - files.length;
    await client.batches.wait(id, {
      signal,
      onProgress: ({ counts }) =>
        this.bar.stage('enhancing', before + counts.completed + counts.failed + counts.canceled),
    });
    return client.batches.items(id, { limit: 100 }, { signal }).all();
  }

  /** @returns whether there is nothing left that another run could save */
  private async saveAll({ files }: JournaledBatch, jobs: readonly Job[]): Promise<boolean> {
    let isOver = true;
    await runLanes(jobs, this.line.concurrency, this.signal, async (job) => {
      const name = files[job.batchIndex!]!;
      try {
        await this.save(name, job);
      } catch (error) {
        if (this.signal.aborted) throw error;
        this.fail(name, error);
        isOver &&= error instanceof JobFailedError || error instanceof GoneError;
      }
    });
    const present = new Set(jobs.map(({ batchIndex }) => batchIndex));
    for (const [index, name] of files.entries()) {
      if (!present.has(index) && !this.images.isSaved(name)) this.fail(name, jobGone());
    }
    return isOver;
  }

  private async save(name: string, job: Job): Promise<void> {
    if (this.images.isSaved(name)) return;
    if (job.status === 'failed') throw new JobFailedError(job);
    const result = await this.client.result(job);
    const output = this.paths.of(name, result.info.format);
    await this.journal.noteImage(name, { output: basename(output) });
    await result.save(output, { signal: this.signal });
    await this.journal.noteImage(name, { isSaved: true });
    this.reporter.enhanced(this.images.typed(name), output, result, (job.timings?.totalMs ?? 0) / 1000);
  }

  private fail(name: string, error: unknown): void {
    this.codes.push(exitCodeOf(error));
    this.reporter.failed(this.images.typed(name), error);
  }
}

/** Whether the service said so: a 404 of a proxy proves nothing, and to enhance images again costs. */
function isLost(error: unknown): boolean {
  const { code } = error as ImageEnhancementError;
  return (
    (error instanceof NotFoundError && code === 'not_found') ||
    (error instanceof GoneError && code === 'gone')
  );
}

function jobGone(): ImageEnhancementError {
  return new ImageEnhancementError(
    'gone',
    'Its job was deleted or has expired. The same command enhances it again.',
  );
}
