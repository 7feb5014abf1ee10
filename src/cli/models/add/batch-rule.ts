import type { RawImage } from '../../../kernel/pixels.js';
import type { Probe } from './probe.js';
import type { Reading } from './readings/candidates.js';
import { mapOf } from './readings/map-readings.js';
import type { RawResult } from './readings/raw-result.js';

/** Batch size of models whose items do not affect each other. */
const BATCH = 4;
/** Larger maps are processed one by one: a single one keeps any device busy, and four take four times the memory. */
const MAX_BATCHED_EDGE = 512;
/** Batches are not tried if one run takes longer, in milliseconds. */
const SLOW_MS = 1_500;
/** A result in a batch differs by less (0–255) from the one alone. The check of a version allows twice as much. */
const MAX_DIFFERENCE = 1;

/**
 * The largest batch of a model. 1 if the model runs no batch, or if the result of a picture depends on the other items:
 * a black and a white picture.
 */
export async function maxBatch(probe: Probe, { input, output }: Reading, picture: RawImage): Promise<number> {
  if (Math.max(picture.width, picture.height) > MAX_BATCHED_EDGE || probe.lastMs > SLOW_MS) return 1;
  const plain = (value: number): RawImage => ({
    ...picture,
    data: new Uint8Array(picture.data.length).fill(value),
  });
  const alone = await probe.run(picture, input);
  const together = await probe.run(picture, input, [plain(0), plain(255), picture]);
  if (alone === null || together === null) return 1;
  const values = shown(together, output);
  const isSame = shown(alone, output).every((value, at) => Math.abs(value - values[at]!) < MAX_DIFFERENCE);
  return isSame ? BATCH : 1;
}

/** A result from 0 to 255. Black is not subtracted. */
function shown(raw: RawResult, output: Reading['output']): Float32Array {
  const { meaning, range } = output;
  if (meaning === 'alpha' || meaning === 'logits') return mapOf(raw, output);
  const factor = 255 / (range[1] - range[0]);
  return raw.planes.map((value) => value * factor);
}
