import { AppError } from '#src/kernel/app-error.js';
import type { Level } from '#src/kernel/operations.js';
import type { RawImage } from '#src/kernel/pixels.js';
import { enhanced } from '#src/models/check/enhanced.js';
import type { EvalHost } from './eval-row.js';

/** The cutout of a picture at a level of `bg_remove`; null when the model finds no subject. */
export async function cutOut(host: EvalHost, level: Level, image: RawImage): Promise<RawImage | null> {
  try {
    return await enhanced(host.enhancer, host.version.routes[level], image);
  } catch (error) {
    if (error instanceof AppError && error.code === 'no_subject_found') return null;
    throw error;
  }
}
