import { GoneError, ImageEnhancementError, JobFailedError, NotFoundError } from '../../errors.js';
import { isVerdict } from '../../http/unacknowledged-attempts.js';
import type { Job } from '../../generated/schema.js';
import type { BatchOrder } from '../../jobs/order.js';
import type { ImageEnhancement } from '../../node.js';
import type { CommandLine } from '../arguments.js';
import { commonExitCode, exitCodeOf } from '../exit-code.js';
import { OutputPaths } from '../output-path.js';
import { ProgressBar } from '../progress-bar.js';
import { Reporter, type Streams } from '../reporter.js';
import { RequestParts } from '../request-parts.js';
import { cancelBatches } from './cancel-batches.js';
import { findCreatedBatch } from './created-batch.js';
import type { FolderJournal, JournaledBatch } from './journal.js';
import { isOfImage, nameOf, stampOf } from './image-file.js';
import { runLanes } from './lanes.js';
import { uploadImage } from './upload-image.js';

/** Maximum items of a batch in the service. */
const MAX_BATCH_ITEMS = 1_000;
/** How long the service remembers an idempotency key, minus an hour. */
const KEY_LIFETIME_MS = 23 * 3_600_000;

/** One run over a folder: uploads images, sends batches, waits for them, and saves their results. */
export class FolderRun {
  private readonly codes: number[] = [];
  private files: readonly string[] = [];
  private paths!: OutputPaths;
  private bar!: ProgressBar;
  private reporter!: Reporter;

  constructor(
    private readonly client: ImageEnhancement,
    private readonly line: CommandLine,
    private readonly journal: FolderJournal,
    private readonly streams: Streams,
    private readonly signal: AbortSignal,
  ) {}

  /** @returns the exit code @throws the error that stopped the run early */
  async all(files: readonly string[]): Promise<number> {
    this.prepare(files);
    const refusals: unknown[] = [];
    try {
      await this.uploadAll();
      await this.plan();
      for (const [key, batch] of this.open()) {
        await this.send(key, batch).catch((error: unknown) => refusals.push(error));
      }
      for (const [key, batch] of this.open()) {
        if (batch.id !== undefined) await this.collect(key, batch, batch.id);
      }
    } catch (error) {
      if (this.signal.aborted)
        await cancelBatches(this.client, this.journal, this.open(), this.streams.stderr);
      throw error;
    } finally {
      this.bar.clear();
    }
    if (refusals.length > 0) throw refusals[0];
    return commonExitCode(this.codes);
  }

  private prepare(files: readonly string[]): void {
    this.files = files;
    const { stdout, stderr } = this.streams;
    const isWanted = stderr.isTTY && !this.line.quiet && !this.line.json;
    this.bar = new ProgressBar(stderr, files.length, isWanted);
    this.reporter = new Reporter(this.line, stdout, stderr, this.bar);
    const own = files.flatMap((file) => {
      const { output } = this.known(file);
      return output === undefined ? [] : [[file, output] as const];
    });
    this.paths = new OutputPaths(files, this.line, new Map(own));
  }

  private known(file: string) {
    return this.journal.image(nameOf(file));
  }

  /** Batches that were sent, or were about to be sent, and whose results are not all saved. */
  private open(): (readonly [string, JournaledBatch])[] {
    return this.journal.batches.filter(([, { hasEnded }]) => hasEnded !== true);
  }

  /** Images that are not in an open batch. */
  private free(): string[] {
    const taken = new Set(this.open().flatMap(([, batch]) => batch.files));
    return this.files.filter((file) => !taken.has(file));
  }

  private async uploadAll(): Promise<void> {
    const waiting: string[] = [];
    for (const file of this.free()) {
      const stamp = await stampOf(file);
      const isNew = this.known(file).stamp !== stamp;
      if (isNew) await this.journal.noteImage(nameOf(file), { stamp, sourceUrl: null, isSaved: false });
      if (this.known(file).isSaved !== true && this.known(file).sourceUrl == null) waiting.push(file);
    }
    const done = this.files.filter((file) => this.known(file).isSaved === true).length;
    if (done > 0) this.reporter.note(`${done} of ${this.files.length} images were done before.`);
    let count = this.files.length - waiting.length;
    await runLanes(waiting, this.line.concurrency, this.signal, async (file) => {
      this.bar.stage('uploading', count);
      await this.upload(file);
      count += 1;
    });
  }

  private async upload(file: string): Promise<void> {
    const name = nameOf(file);
    const { uploads = 0 } = this.known(file);
    const key = `${this.journal.run}-${uploads}`;
    try {
      const { url } = await uploadImage(this.client, file, key, {
        signal: this.signal,
        direct: this.line.direct,
      });
      await this.journal.noteImage(name, { sourceUrl: url });
    } catch (error) {
      // The other images would fail in the same way.
      if (!isOfImage(error)) throw error;
      this.fail(file, error);
    }
  }

  /** Puts all uploaded images without a result into batches. */
  private async plan(): Promise<void> {
    const waiting = this.free().filter((file) => {
      const { isSaved, sourceUrl } = this.known(file);
      return isSaved !== true && sourceUrl != null;
    });
    const parts = new RequestParts(this.client, this.line, this.signal);
    if (waiting.length > 0 && this.journal.output === undefined) {
      await this.journal.noteOutput(await parts.output());
    }
    for (let at = 0; at < waiting.length; at += MAX_BATCH_ITEMS) {
      const files = waiting.slice(at, at + MAX_BATCH_ITEMS);
      const sourceUrls = files.map((file) => this.known(file).sourceUrl!);
      const key = `${this.journal.run}-batch-${this.journal.batches.length}`;
      await this.journal.noteBatch(key, { files, sourceUrls, terms: parts.terms(), sentAtMs: Date.now() });
    }
  }

  /** Creates a batch, unless it already exists. */
  private async send(key: string, batch: JournaledBatch): Promise<void> {
    if (batch.isCanceled === true) return this.retry(key, batch);
    if (batch.id !== undefined) return;
    this.bar.stage('sending', 0);
    const isOld = Date.now() - batch.sentAtMs > KEY_LIFETIME_MS;
    const { signal } = this;
    const known = isOld ? await findCreatedBatch(this.client, batch, signal) : undefined;
    const order = {
      ...this.line.work.order,
      ...this.journal.output,
      ...batch.terms,
      sourceUrls: batch.sourceUrls,
    } as BatchOrder;
    try {
      const id = known ?? (await this.client.batches.create(order, { idempotencyKey: key, signal })).id;
      await this.journal.noteBatch(key, { id });
    } catch (error) {
      if (isVerdict(error)) await this.giveUp(key, batch, error);
      throw error;
    }
  }

  /** Retries a batch that was canceled by an interrupt. */
  private async retry(key: string, { id, retries = 0 }: JournaledBatch): Promise<void> {
    try {
      const idempotencyKey = `${key}-retry-${retries}`;
      await this.client.batches.retry(
        id!,
        { includeCanceled: true },
        { idempotencyKey, signal: this.signal },
      );
    } catch (error) {
      if ((error as ImageEnhancementError).code !== 'nothing_to_retry') throw error;
    }
    await this.journal.noteBatch(key, { isCanceled: false, retries: retries + 1 });
  }

  /** The service has rejected the batch and would do so again. Its images become available for the next run. */
  private async giveUp(key: string, { files }: JournaledBatch, error: unknown): Promise<void> {
    const isSourceGone =
      error instanceof GoneError ||
      error instanceof NotFoundError ||
      (error as ImageEnhancementError).code === 'invalid_request';
    for (const file of isSourceGone ? files : []) {
      await this.journal.noteImage(nameOf(file), {
        sourceUrl: null,
        uploads: (this.known(file).uploads ?? 0) + 1,
      });
    }
    await this.journal.noteBatch(key, { hasEnded: true });
  }

  /** Waits for a batch and saves its results. */
  private async collect(key: string, { files }: JournaledBatch, id: string): Promise<void> {
    const { client, signal } = this;
    const before = this.files.length - files.length;
    await client.batches.wait(id, {
      signal,
      onProgress: ({ counts }) =>
        this.bar.stage('enhancing', before + counts.completed + counts.failed + counts.canceled),
    });
    const jobs = await client.batches.items(id, { limit: 100 }, { signal }).all();
    let isOver = true;
    await runLanes(jobs, this.line.concurrency, signal, async (job) => {
      const file = files[job.batchIndex!]!;
      try {
        await this.save(file, job);
      } catch (error) {
        if (signal.aborted) throw error;
        this.fail(file, error);
        isOver &&= error instanceof JobFailedError || error instanceof GoneError;
      }
    });
    if (isOver) await this.journal.noteBatch(key, { hasEnded: true });
  }

  private async save(file: string, job: Job): Promise<void> {
    const name = nameOf(file);
    if (this.known(file).isSaved === true) return;
    if (job.status === 'failed') throw new JobFailedError(job);
    const result = await this.client.result(job);
    const output = this.paths.of(file, result.info.format);
    await this.journal.noteImage(name, { output });
    await result.save(output, { signal: this.signal });
    await this.journal.noteImage(name, { isSaved: true });
    this.reporter.enhanced(file, output, result, (job.timings?.totalMs ?? 0) / 1000);
  }

  private fail(file: string, error: unknown): void {
    this.codes.push(exitCodeOf(error));
    this.reporter.failed(file, error);
  }
}
