import { basename } from 'node:path';
import { GoneError, ImageEnhancementError, JobFailedError } from '../../errors.js';
import type { Job } from '../../generated/schema.js';
import { notSaved } from '../output/unsaved-result.js';
import type { FolderContext } from './folder-context.js';
import type { JournaledBatch } from './journal.js';
import { runLanes } from './lanes.js';

/** The results of the batches of a run. */
export class FolderResults {
  constructor(private readonly context: FolderContext) {}

  /**
   * Waits for a batch, saves its results, and reports failures.
   * @returns whether there is nothing left that another run could save
   */
  async saveAll(batch: JournaledBatch, id: string): Promise<boolean> {
    const jobs = await this.finished(batch, id);
    const isOver = await this.saveThese(batch, jobs);
    this.reportGone(batch, jobs);
    return isOver;
  }

  /**
   * Saves the results of a canceled batch. Omits images that have changed, since their new results have the same names.
   * @returns whether there is nothing left that another run could save
   */
  async saveCompleted(batch: JournaledBatch, id: string): Promise<boolean> {
    const jobs: Job[] = [];
    for (const job of await this.finished(batch, id)) {
      const change = await this.context.images.changeOf(batch.files[job.batchIndex!]!);
      if (job.status === 'completed' && change !== 'changed') jobs.push(job);
    }
    return this.saveThese(batch, jobs);
  }

  /** Waits for a batch. @returns its jobs, without those of images that have changed after their result was saved */
  private async finished(batch: JournaledBatch, id: string): Promise<readonly Job[]> {
    const { client, signal, images, bar } = this.context;
    const before = images.names.length - batch.files.length;
    await client.batches.wait(id, {
      signal,
      onProgress: ({ counts }) =>
        bar.stage('enhancing', before + counts.completed + counts.failed + counts.canceled),
    });
    const jobs = await client.batches.items(id, { limit: 100 }, { signal }).all();
    return jobs.filter(({ batchIndex }) => images.isOf(batch, batchIndex!));
  }

  /** @returns whether there is nothing left that another run could save */
  private async saveThese({ files }: JournaledBatch, jobs: readonly Job[]): Promise<boolean> {
    const { line, signal, report } = this.context;
    let isOver = true;
    await runLanes(jobs, line.concurrency, signal, async (job) => {
      const name = files[job.batchIndex!]!;
      try {
        await this.save(name, job);
      } catch (error) {
        if (signal.aborted) throw error;
        report.failed(name, error);
        isOver &&= error instanceof JobFailedError || error instanceof GoneError;
      }
    });
    return isOver;
  }

  /** Reports the images of a batch whose jobs the service no longer has. */
  private reportGone(batch: JournaledBatch, jobs: readonly Job[]): void {
    const { images, report } = this.context;
    const present = new Set(jobs.map(({ batchIndex }) => batch.files[batchIndex!]));
    for (const name of images.unsavedOf(batch)) {
      if (!present.has(name)) report.failed(name, jobGone());
    }
  }

  private async save(name: string, job: Job): Promise<void> {
    const { client, images, journal, paths, report, signal } = this.context;
    if (images.isSaved(name)) return;
    if (job.status === 'failed') throw new JobFailedError(job);
    const result = await client.result(job);
    const output = paths.of(name, result.info.format);
    await journal.noteImage(name, { output: basename(output) });
    await result.save(output, { signal }).catch((error: unknown) => {
      throw notSaved(error, job.id, signal, ' The same command saves it.');
    });
    await journal.noteImage(name, { isSaved: true });
    report.enhanced(name, output, result);
  }
}

function jobGone(): ImageEnhancementError {
  return new ImageEnhancementError(
    'gone',
    'Its job was deleted or has expired. The same command enhances it again.',
  );
}
