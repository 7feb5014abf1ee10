import { ApiError, GoneError, NotFoundError } from '../../errors.js';
import { RequestParts } from '../request-parts.js';
import type { FolderContext } from './folder-context.js';
import { stampOf } from './image-file.js';
import type { JournaledBatch, JournaledTerms } from './journal.js';

/** The options of the new batches of a run. They share one upload of a background picture, while it is the same file. */
export class FolderOutput {
  constructor(private readonly context: FolderContext) {}

  /** @throws ImageEnhancementError `invalid_file` when the background picture cannot be read */
  async terms(): Promise<JournaledTerms> {
    const { client, line, journal, signal } = this.context;
    const parts = new RequestParts(client, line, signal);
    const stamp = await this.backgroundStamp();
    if (journal.output === undefined || journal.backgroundStamp !== stamp) {
      const given = await parts.given();
      await journal.noteOutput(Object.keys(given).length === 0 ? {} : { output: given }, stamp);
    }
    // Read for each batch, because the service uses the operations of a preset as they are when a batch is created.
    const output = await parts.over(journal.output?.output ?? {});
    return { ...(output === undefined ? {} : { output }), ...parts.terms() };
  }

  /** Whether an output was given that changes the one of a preset. */
  isOverPreset({ output }: JournaledTerms): boolean {
    return output !== undefined && this.context.line.work.order.preset !== undefined;
  }

  /**
   * Whether a batch lacks the output of its preset, or has an earlier version of the background picture. A picture that
   * cannot be read is the same.
   */
  async isOutdated({ terms = {}, isMerged = false }: JournaledBatch): Promise<boolean> {
    const { journal } = this.context;
    if (this.isOverPreset(terms) && !isMerged) return true;
    const url = backgroundOf(terms);
    if (url === undefined) return false;
    const stamp = await this.backgroundStamp().catch(() => undefined);
    return stamp !== undefined && (stamp !== journal.backgroundStamp || url !== backgroundOf(journal.output));
  }

  /** Uploads the background picture of a batch again for the next one, because the service may have lost it. */
  async forgetBackground({ terms }: JournaledBatch): Promise<void> {
    const { journal } = this.context;
    if (journal.output === undefined || backgroundOf(terms) === undefined) return;
    await journal.noteOutput(journal.output, 'lost');
  }

  /** Undefined when there is no picture. */
  private async backgroundStamp(): Promise<string | undefined> {
    const { background } = this.context.line.options;
    return background === undefined || background.startsWith('#') ? undefined : stampOf(background);
  }
}

/** Whether the service has refused to create a batch because of its background picture, and not of its images. */
export function isOfBackground({ terms }: JournaledBatch, error: unknown): boolean {
  if (backgroundOf(terms) === undefined || !(error instanceof ApiError)) return false;
  // The service reports missing images as invalid fields.
  if (error instanceof GoneError || error instanceof NotFoundError) return true;
  return error.fieldErrors.some(({ field }) => field.startsWith('output.background'));
}

/** The URL of a background picture. */
function backgroundOf(terms: JournaledTerms | undefined): string | undefined {
  const background = terms?.output?.background;
  return typeof background === 'object' ? background?.sourceUrl : undefined;
}
