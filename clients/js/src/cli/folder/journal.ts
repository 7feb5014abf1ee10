import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import type { CreateBatch } from '../../generated/schema.js';
import { reasonOf } from '../../platform/node-files.js';
import { UsageError } from '../values.js';
import { nameOf } from './image-file.js';

/** One image of the folder. */
export interface JournaledImage {
  /** Size and modification time of the file that was uploaded. A different stamp means a new image. */
  readonly stamp?: string;
  readonly sourceUrl?: string | null;
  /** How many of its uploads the service has lost since. */
  readonly uploads?: number;
  /** Path of its result in the folder of the journal, recorded before the result is written. */
  readonly output?: string;
  readonly isSaved?: boolean;
}

/** A batch that was sent, or was about to be sent. */
export interface JournaledBatch {
  /** The names of its images. */
  readonly files: readonly string[];
  readonly sourceUrls: readonly string[];
  /** Sent with the batch, even by a later run with other flags, because a repeated request must be identical. */
  readonly terms?: JournaledTerms;
  /** Whether the output contains that of the preset. Batches of earlier versions lost it. */
  readonly isMerged?: boolean;
  readonly sentAtMs: number;
  /** Known once the service has responded. */
  readonly id?: string;
  /** Whether an interrupt canceled the batch, so that its canceled items must be retried. */
  readonly isCanceled?: boolean;
  readonly retries?: number;
  /** Whether all results were saved and all failures reported. */
  readonly hasEnded?: boolean;
}

/** Options for the jobs of a batch. */
export type JournaledTerms = Pick<
  CreateBatch,
  'output' | 'cache' | 'callbackUrl' | 'cancelAfter' | 'expiresIn'
>;

/** The output options of new batches without those of a preset, and with the upload of a background picture. */
export type JournaledOutput = Pick<CreateBatch, 'output'>;

type Line =
  | { readonly run: string }
  | { readonly output: JournaledOutput; readonly backgroundStamp?: string | undefined }
  | { readonly image: string; readonly set: JournaledImage }
  | { readonly batch: string; readonly set: Partial<JournaledBatch> };

/**
 * Records the progress of one order in one output folder, so that the run can continue after a crash. Each step is a
 * line of JSON, written before the next step begins. A line that was cut off by a power failure is ignored.
 */
export class FolderJournal {
  /** Identifies the run, even after a crash. */
  run = '';
  output: JournaledOutput | undefined;
  /** The stamp of the background picture that was uploaded. Undefined without one, and in journals of earlier versions. */
  backgroundStamp: string | undefined;
  private readonly images = new Map<string, JournaledImage>();
  private readonly sent = new Map<string, JournaledBatch>();
  private writing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
  ) {}

  /** @throws UsageError when it cannot be written */
  static async open(path: string): Promise<FolderJournal> {
    try {
      const text = await readFile(path, 'utf8').catch(() => '');
      const journal = new FolderJournal(await open(path, 'a'), path);
      for (const line of text.split('\n')) journal.replay(line);
      // A line that was cut off must not run into the next one.
      if (text !== '' && !text.endsWith('\n')) await journal.file.write('\n');
      if (journal.run === '') await journal.write({ run: randomUUID() });
      return journal;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new UsageError(`${path} cannot be written: ${reasonOf(error)}.`);
    }
  }

  image(file: string): JournaledImage {
    return this.images.get(file) ?? {};
  }

  get batchCount(): number {
    return this.sent.size;
  }

  /** Whether a batch with this id was recorded, even one that has ended. */
  hasBatch(id: string): boolean {
    return [...this.sent.values()].some((batch) => batch.id === id);
  }

  /** Batches that were sent, or were about to be sent, and whose results are not all saved. */
  get openBatches(): readonly (readonly [key: string, batch: JournaledBatch])[] {
    return [...this.sent].filter(([, { hasEnded }]) => hasEnded !== true);
  }

  noteOutput(output: JournaledOutput, backgroundStamp: string | undefined): Promise<void> {
    return this.write({ output, backgroundStamp });
  }

  noteImage(file: string, set: JournaledImage): Promise<void> {
    return this.write({ image: file, set });
  }

  /** Adds a batch, or changes it. */
  noteBatch(key: string, set: Partial<JournaledBatch>): Promise<void> {
    return this.write({ batch: key, set });
  }

  async close(): Promise<void> {
    await this.writing.catch(() => undefined);
    await this.file.close();
  }

  private async write(line: Line): Promise<void> {
    this.apply(line);
    // Write one line at a time, so that lines do not mix.
    this.writing = this.writing.then(() => this.append(`${JSON.stringify(line)}\n`));
    await this.writing;
  }

  private async append(text: string): Promise<void> {
    await this.file.appendFile(text).catch((error: unknown) => {
      throw new UsageError(`${this.path} cannot be written: ${reasonOf(error)}.`);
    });
  }

  private replay(text: string): void {
    try {
      this.apply(JSON.parse(text) as Line);
    } catch {
      // The line was cut off.
    }
  }

  private apply(line: Line): void {
    if ('run' in line) this.run = line.run;
    else if ('output' in line) {
      this.output = line.output;
      this.backgroundStamp = line.backgroundStamp;
    } else if ('image' in line) this.images.set(line.image, { ...this.images.get(line.image), ...line.set });
    else {
      const batch = { ...this.sent.get(line.batch), ...line.set } as JournaledBatch;
      // Journals of earlier versions have the paths as they were typed, and the output only in a line before.
      const terms = { ...this.output, ...batch.terms };
      this.sent.set(line.batch, { ...batch, terms, files: batch.files.map(nameOf) });
    }
  }
}
