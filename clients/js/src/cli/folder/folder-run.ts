import {
  type ApiError,
  GoneError,
  type ImageEnhancementError,
  NotFoundError,
  QuotaExceededError,
} from '../../errors.js';
import { throwIfAborted } from '../../http/throw-if-aborted.js';
import { isVerdict } from '../../http/unacknowledged-attempts.js';
import { BatchRequests, provesNoBatch } from './batch-requests.js';
import { cancelBatches } from './cancel-batches.js';
import type { FolderContext } from './folder-context.js';
import { FolderOutput, isOfBackground } from './folder-output.js';
import { FolderResults } from './folder-results.js';
import { FolderUploads } from './folder-uploads.js';
import { isOfImage } from './image-file.js';
import type { JournaledBatch } from './journal.js';

/** Maximum items of a batch in the service. */
const MAX_BATCH_ITEMS = 1_000;

/** One run over a folder: uploads images, sends batches, waits for them, and saves their results. */
export class FolderRun {
  private readonly requests: BatchRequests;
  private readonly uploads: FolderUploads;
  private readonly output: FolderOutput;
  private readonly results: FolderResults;
  /** The keys of batches that are not wanted as they are. If one cannot be ended now, the next run tries again. */
  private readonly withdrawn = new Set<string>();

  constructor(private readonly context: FolderContext) {
    const { client, line, journal } = context;
    this.requests = new BatchRequests(client, line, journal);
    this.uploads = new FolderUploads(context);
    this.output = new FolderOutput(context);
    this.results = new FolderResults(context);
  }

  /** @returns the exit code @throws the error that stopped the run early */
  async all(): Promise<number> {
    const { journal, streams, signal, bar, report } = this.context;
    const refusals: unknown[] = [];
    const attempt = async (work: Promise<void>): Promise<void> => {
      await work.catch((error: unknown) => refusals.push(error));
      throwIfAborted(signal);
    };
    const unlessOfImage = (error: unknown): void => {
      // The other batches would fail in the same way.
      if (!isOfImage(error)) throw error;
      refusals.push(error);
    };
    try {
      // First, because this may free images for new batches.
      for (const [key, batch] of journal.openBatches) {
        if (await this.isOutdated(batch)) await attempt(this.withdraw(key, batch));
        else if (batch.isCanceled === true) await attempt(this.retry(key, batch));
      }
      const openBatches = () => journal.openBatches.filter(([key]) => !this.withdrawn.has(key));
      // After a refusal, such as that of a full storage, too, results of earlier batches are saved: they are paid for.
      await attempt(this.uploads.all());
      const unplanned = this.uploads.waiting();
      const send = async (key: string, batch: JournaledBatch) => void (await this.create(key, batch));
      for (const [key, batch] of openBatches()) {
        if (batch.id === undefined) await attempt(send(key, batch));
      }
      const sendNew = async () => {
        for await (const [key, batch] of this.planned(unplanned)) await attempt(send(key, batch));
      };
      await attempt(sendNew());
      for (const [key, batch] of openBatches()) {
        if (batch.id === undefined) continue;
        await this.collect(key, batch, batch.id).catch(unlessOfImage);
      }
    } catch (error) {
      if (signal.aborted) await cancelBatches(this.requests, journal, streams.stderr);
      throw error;
    } finally {
      bar.clear();
    }
    if (refusals.length > 0) throw refusals[0];
    return report.exitCode;
  }

  /** Whether sending or retrying a batch would use images, or an output, that the user does not want any more. */
  private async isOutdated(batch: JournaledBatch): Promise<boolean> {
    const { images } = this.context;
    if (batch.id !== undefined && batch.isCanceled !== true) return false;
    if (images.hasSkipped(batch) || (await this.output.isOutdated(batch))) return true;
    for (const name of images.unsavedOf(batch)) {
      if ((await images.changeOf(name)) !== 'none') return true;
    }
    return false;
  }

  /** Ends an outdated batch, and saves what was completed. Its other images become available for new batches. */
  private async withdraw(key: string, batch: JournaledBatch): Promise<void> {
    const { journal, signal } = this.context;
    this.withdrawn.add(key);
    try {
      // Only the service knows whether an earlier run has created it, or has retried it since.
      const id = batch.id ?? (await this.create(key, batch));
      await this.requests.cancel(key, batch, id, { signal });
      const isOver = await this.results.saveCompleted(batch, id);
      if (!isOver) return;
    } catch (error) {
      const isMissing = batch.id === undefined ? provesNoBatch(error) : isLost(error);
      if (!isMissing) throw error;
    }
    await journal.noteBatch(key, { hasEnded: true });
  }

  /** Retries a canceled batch. If the service refuses that for good, only saves what was completed. */
  private async retry(key: string, batch: JournaledBatch): Promise<void> {
    const { signal, report } = this.context;
    try {
      await this.requests.retry(key, batch, { signal });
    } catch (error) {
      if (!isFinal(error)) throw error;
      this.withdrawn.add(key);
      const isOver = await this.results.saveCompleted(batch, batch.id!).catch(unlessLost);
      if (isOver === false) return;
      report.note(`A batch cannot be retried, so its images get another one: ${error.message}`);
      await this.giveUp(key, batch, error, isOfBackground(batch, error));
    }
  }

  /** Puts images into batches. Each is recorded only when the one before was sent. */
  private async *planned(waiting: readonly string[]): AsyncGenerator<readonly [string, JournaledBatch]> {
    const { journal, images } = this.context;
    for (let at = 0; at < waiting.length; at += MAX_BATCH_ITEMS) {
      const files = waiting.slice(at, at + MAX_BATCH_ITEMS);
      const sourceUrls = files.map((name) => images.known(name).sourceUrl!);
      const key = `${journal.run}-batch-${journal.batchCount}`;
      const terms = await this.output.terms();
      const isMerged = this.output.isOverPreset(terms);
      const batch = { files, sourceUrls, terms, isMerged, sentAtMs: Date.now() };
      await journal.noteBatch(key, batch);
      yield [key, batch];
    }
  }

  /** Creates a batch, unless an earlier run has. @returns its id */
  private async create(key: string, batch: JournaledBatch): Promise<string> {
    const { line, signal, bar } = this.context;
    bar.stage('sending', 0);
    try {
      return await this.requests.create(key, batch, { signal, timeoutMs: line.timeoutMs });
    } catch (error) {
      if (provesNoBatch(error)) await this.giveUp(key, batch, error, isOfBackground(batch, error));
      throw error;
    }
  }

  /** The service has rejected the batch and would do so again. Its images become available for other batches. */
  private async giveUp(
    key: string,
    batch: JournaledBatch,
    error: unknown,
    areImagesKnown: boolean,
  ): Promise<void> {
    const { journal, images } = this.context;
    const isSourceGone =
      error instanceof GoneError ||
      error instanceof NotFoundError ||
      (error as ImageEnhancementError).code === 'invalid_request';
    if (isSourceGone) await this.output.forgetBackground(batch);
    const lost = isSourceGone && !areImagesKnown ? images.unsavedOf(batch) : [];
    // First, because the images of an open batch are known by the uploads that they had when it was sent.
    await journal.noteBatch(key, { hasEnded: true });
    for (const name of lost) {
      const { uploads = 0 } = images.known(name);
      await journal.noteImage(name, { sourceUrl: null, uploads: uploads + 1 });
    }
  }

  /** Saves the results of a batch, which the service may not have any more, or never had under this key and URL. */
  private async collect(key: string, batch: JournaledBatch, id: string): Promise<void> {
    const { journal, images, report } = this.context;
    try {
      // A batch that is still canceled could not be retried. The next run tries again.
      if (batch.isCanceled === true) await this.results.saveCompleted(batch, id);
      else if (await this.results.saveAll(batch, id)) await journal.noteBatch(key, { hasEnded: true });
    } catch (error) {
      if (!isLost(error)) throw error;
      for (const name of images.unsavedOf(batch)) report.failed(name, error);
      await this.giveUp(key, batch, error, false);
      report.note('The same command enhances these images again.');
    }
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

function unlessLost(error: unknown): void {
  if (!isLost(error)) throw error;
}

/** Whether the service refuses a retry and would do so again. What a proxy says proves nothing, and quotas reset. */
function isFinal(error: unknown): error is ApiError {
  if (!isVerdict(error) || error instanceof QuotaExceededError) return false;
  return (error as ApiError).problem.code !== undefined;
}
