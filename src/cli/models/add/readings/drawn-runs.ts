import type { RawImage } from '../../../../kernel/pixels.js';
import { ModelsError } from '../../models-command.js';
import type { Probe } from '../probe.js';
import type { Normalization } from './normalization.js';
import type { RawResult } from './raw-result.js';

/** Slower models, in milliseconds, run on one picture only. */
const SLOW_MS = 1_500;

/** Runs a model on drawn pictures with one normalization after the other. */
export class DrawnRuns {
  private notFinite = 0;

  constructor(
    private readonly probe: Probe,
    private readonly pictures: readonly RawImage[],
  ) {}

  /**
   * One result for each picture, or for the first one. Null when the normalization cannot be correct: the model rejects
   * the picture, or its numbers are not finite, which would be black in a result.
   */
  async results(input: Normalization): Promise<readonly RawResult[] | null> {
    const { probe } = this;
    const raws: RawResult[] = [];
    for (const picture of this.pictures.slice(0, probe.lastMs > SLOW_MS ? 1 : this.pictures.length)) {
      const raw = await probe.run(picture, input);
      if (raw === null) return null;
      raws.push(raw);
    }
    if (raws.every(({ planes }) => areFinite(planes))) return raws;
    this.notFinite += 1;
    return null;
  }

  /** Why no normalization has results. @param isGiven whether the options state the only one that was tried */
  failure(isGiven: boolean): ModelsError {
    if (this.notFinite === 0)
      return new ModelsError(`The model does not run on a picture: ${this.probe.failure}.`);
    const advice = isGiven
      ? 'Correct --range, --mean and --std, or the model.'
      : 'Its weights are damaged, or it needs another range: pass --range.';
    return new ModelsError(
      `The model gives numbers that are not finite (NaN or infinite) for drawn pictures. ${advice}`,
    );
  }
}

/** Several times as fast as `every`, which calls a function for each of up to a million numbers. */
function areFinite(values: Float32Array): boolean {
  for (let at = 0; at < values.length; at++) if (!Number.isFinite(values[at])) return false;
  return true;
}
