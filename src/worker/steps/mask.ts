import type { PixelFile } from '../../infra/image/codec/pixel-file.js';
import { applyMask } from '../../infra/image/finish/matte-mask.js';
import type { StepMask } from '../../kernel/step-options.js';
import type { JobRun } from '../job-run.js';
import { decodePicture, type PictureContext } from './decode-picture.js';

/** The images before and after a step. */
export interface MaskedImages {
  /** Null when it no longer exists. */
  readonly source: PixelFile | null;
  /** Changed in place. */
  readonly result: PixelFile;
}

/**
 * Corrects the cutout of a step with the mask that the client painted.
 * @throws AppError `gone` when the mask was deleted; `undecodable_image`
 */
export async function mask(
  run: JobRun,
  given: StepMask,
  { source, result }: MaskedImages,
  context: PictureContext,
): Promise<void> {
  if (result.channels !== 4) return;
  const picture = await decodePicture(run, given, 'mask', context);
  const isSameSize = source !== null && source.width === result.width && source.height === result.height;
  const room = {
    path: (name: string) => run.room.path(name),
    kept: (file: PixelFile) => run.resources.file(file),
    signal: run.signal,
  };
  await run.stopwatch.time('encodeMs', () => applyMask(result, isSameSize ? source : null, picture, room));
}
