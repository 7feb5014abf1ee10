import { basename, join } from 'node:path';
import { nameOf, stampOf } from './image-file.js';
import type { FolderJournal, JournaledBatch, JournaledImage } from './journal.js';

/**
 * The images of one run, by the names that the journal has for them: the inputs, then the images of open batches that
 * are no longer among the inputs. Those may be paid for, so their results are saved, too.
 */
export class FolderImages {
  readonly names: readonly string[];
  /** The inputs as the user typed them. */
  private readonly inputs: ReadonlyMap<string, string>;

  /** @param skipped images that have another result, which is never written over: they are not enhanced or saved */
  constructor(
    files: readonly string[],
    private readonly journal: FolderJournal,
    private readonly skipped: ReadonlyMap<string, string> = new Map(),
  ) {
    const named = files.map((file) => [nameOf(file), file] as const);
    this.inputs = new Map(named.filter(([name]) => !skipped.has(name)));
    const batched = journal.openBatches.flatMap(([, batch]) => batch.files);
    this.names = [...new Set([...this.inputs.keys(), ...batched])];
  }

  /** The inputs that are not in an open batch. */
  get free(): string[] {
    const isOpen = ([, batch]: readonly [string, JournaledBatch]) =>
      batch.files.filter((_, index) => this.isOf(batch, index));
    const taken = new Set(this.journal.openBatches.flatMap(isOpen));
    return [...this.inputs.keys()].filter((name) => !taken.has(name));
  }

  /** The inputs that no open batch is going to give a result. */
  get settled(): string[] {
    const free = new Set(this.free);
    return [...this.inputs.keys()].filter((name) => free.has(name) || this.isSaved(name));
  }

  /** Whether an item of a batch is the image as it is known now. An image may change after its result was saved. */
  isOf({ files, sourceUrls }: JournaledBatch, index: number): boolean {
    const { sourceUrl } = this.known(files[index]!);
    return sourceUrl === undefined || sourceUrl === sourceUrls[index];
  }

  /** The images of a batch that have no result yet. */
  unsavedOf(batch: JournaledBatch): string[] {
    return batch.files.filter((name, index) => this.isOf(batch, index) && !this.isSaved(name));
  }

  get inputCount(): number {
    return this.inputs.size;
  }

  get savedInputCount(): number {
    return [...this.inputs.keys()].filter((name) => this.isSaved(name)).length;
  }

  /** The image as the user typed it. */
  typed(name: string): string {
    return this.inputs.get(name) ?? name;
  }

  /** What has happened to the file of an image since its upload. A file that cannot be read counts as removed. */
  async changeOf(name: string): Promise<'none' | 'changed' | 'removed'> {
    if (!this.inputs.has(name)) return 'removed';
    const stamp = await stampOf(name).catch(() => undefined);
    if (stamp === undefined) return 'removed';
    return stamp === this.known(name).stamp ? 'none' : 'changed';
  }

  known(name: string): JournaledImage {
    return this.journal.image(name);
  }

  /** Whether nothing is to be saved for an image. */
  isSaved(name: string): boolean {
    return this.skipped.has(name) || this.known(name).isSaved === true;
  }

  hasSkipped({ files }: JournaledBatch): boolean {
    return files.some((name) => this.skipped.has(name));
  }

  /** The paths of the results that earlier runs have written, or were about to write. */
  outputsIn(folder: string): ReadonlyMap<string, string> {
    const known = this.names.flatMap((name) => {
      const { output } = this.known(name);
      // Only the last part: the folder may be named differently now, for example from another current folder.
      return output === undefined ? [] : [[name, join(folder, basename(output))] as const];
    });
    return new Map(known);
  }
}
