import { AppError } from '../kernel/app-error.js';
import type { RawImage } from '../kernel/pixels.js';
import type { AnalyseStageRef } from '../models/manifest/model-route.js';
import type { NamedTensors } from './tensor.js';

/** Copies the pixels into a separate buffer, because it is transferred to the device thread. */
export function analysisPixels({ id, size }: AnalyseStageRef, image: RawImage): Uint8Array<ArrayBuffer> {
  const { width, height, channels, data } = image;
  if (width !== size || height !== size || channels !== 3) {
    throw new Error(`${id} analyses ${size}×${size}×3, not ${width}×${height}×${channels}.`);
  }
  return new Uint8Array(data);
}

/** @throws AppError `no_subject_found` when a stage that looks for a subject finds none */
export function requireSubject({ noSubject }: AnalyseStageRef, revealed: NamedTensors): void {
  if (noSubject === undefined) return;
  const presence = revealed[noSubject.output]!.data[0]!;
  if (presence < noSubject.below) {
    throw new AppError('no_subject_found', {
      internal: `${noSubject.output} ${presence} is below ${noSubject.below}`,
    });
  }
}
