import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import type { CreateBatch } from '../../generated/schema.js';
import { UsageError } from '../values.js';

/** One image of the folder. */
export interface JournaledImage {
  /** Size and time of the file that was uploaded: another one is a new image. */
  readonly stamp?: string;
  readonly sourceUrl?: string | null;
  /** How many uploads the service has lost since. */
  readonly uploads?: number;
  /** Where its result goes: written down before it is there. */
  readonly output?: string;
  readonly isSaved?: boolean;
}

/** A batch that was sent, or was about to be. */
export interface JournaledBatch {
  readonly files: readonly string[];
  readonly sourceUrls: readonly string[];
  /** Sent with the batch, even by a later run with other flags, because a repeated request must be equal. */
  readonly terms?: JournaledTerms;
  readonly sentAtMs: number;
  /** Known once the service has answered. */
  readonly id?: string;
  /** Whether an interrupt has canceled it: its canceled items are to be retried. */
  readonly isCanceled?: boolean;
  readonly retries?: number;
  /** Whether all results were saved, and all failures told. */
  readonly hasEnded?: boolean;
}

/** Options for the jobs of a batch. */
export type JournaledTerms = Pick<CreateBatch, 'cache' | 'callbackUrl' | 'cancelAfter' | 'expiresIn'>;

/** What every request of the run has in common; background pictures are uploaded once. */
export type JournaledOutput = Pick<CreateBatch, 'output'>;

type Line =
  | { readonly run: string }
  | { readonly output: JournaledOutput }
  | { readonly image: string; readonly set: JournaledImage }
  | { readonly batch: string; readonly set: Partial<JournaledBatch> };

/**
 * What the run of one order in one output folder has done, so that it can go on after a crash: a line of JSON for each
 * step, written before the next one. A line that a power failure cut off is ignored.
 */
export class FolderJournal {
  /** Identifies the run, also after a crash. */
  run = '';
  output: JournaledOutput | undefined;
  private readonly images = new Map<string, JournaledImage>();
  private readonly sent = new Map<string, JournaledBatch>();
  private writing: Promise<unknown> = Promise.resolve();

  private constructor(private readonly file: FileHandle) {}

  /** @throws UsageError when it cannot be written */
  static async open(path: string): Promise<FolderJournal> {
    try {
      const text = await readFile(path, 'utf8').catch(() => '');
      const journal = new FolderJournal(await open(path, 'a'));
      for (const line of text.split('\n')) journal.replay(line);
      // Whatever was cut off must not run into the next line.
      if (text !== '' && !text.endsWith('\n')) await journal.file.write('\n');
      if (journal.run === '') await journal.write({ run: randomUUID() });
      return journal;
    } catch (error) {
      throw new UsageError(`${path} cannot be written: ${(error as Error).message}`);
    }
  }

  image(file: string): JournaledImage {
    return this.images.get(file) ?? {};
  }

  get batches(): readonly (readonly [key: string, batch: JournaledBatch])[] {
    return [...this.sent];
  }

  noteOutput(output: JournaledOutput): Promise<void> {
    return this.write({ output });
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
    // One after the other, so that no line is torn by another.
    this.writing = this.writing.then(() => this.file.appendFile(`${JSON.stringify(line)}\n`));
    await this.writing;
  }

  private replay(text: string): void {
    try {
      this.apply(JSON.parse(text) as Line);
    } catch {
      // Cut off.
    }
  }

  private apply(line: Line): void {
    if ('run' in line) this.run = line.run;
    else if ('output' in line) this.output = line.output;
    else if ('image' in line) this.images.set(line.image, { ...this.images.get(line.image), ...line.set });
    else this.sent.set(line.batch, { ...this.sent.get(line.batch), ...line.set } as JournaledBatch);
  }
}
