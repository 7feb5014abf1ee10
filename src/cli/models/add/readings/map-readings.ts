import { ModelsError } from '../../models-command.js';
import type { Bounds, Candidate, Reading } from './candidates.js';
import type { DrawnSubject } from './drawn-pictures.js';
import { DrawnRuns } from './drawn-runs.js';
import type { GivenReading } from './given-reading.js';
import { type Normalization, usualNormalizations } from './normalization.js';
import { normalizationOf } from './picture-readings.js';
import type { Probe } from '../probe.js';
import type { RawResult } from './raw-result.js';

/** Thresholds for errors from 0 to 1. Results are compared as gray values, 0–255. */
export const MAP_BOUNDS: Bounds = { same: 5, share: 0.5, more: 0.03 };
/** A map with a larger mean error does not find the subject. */
const MAX_ERROR = 0.2;
/** Values farther outside of their range than this fraction of it are not yet probabilities. */
const ROUNDING = 0.01;

/** Every reading that is tried for a model that outputs a map, the most common ones first. */
export async function mapCandidates(
  probe: Probe,
  subjects: readonly DrawnSubject[],
  given: GivenReading,
): Promise<readonly Candidate[]> {
  const channels = probe.ports.isGray ? 'Y' : (given.channels ?? 'RGB');
  const inputs =
    given.range === undefined
      ? usualNormalizations(channels, probe.ports)
      : [normalizationOf(given, given.range, channels)];
  const runs = new DrawnRuns(
    probe,
    subjects.map(({ image }) => image),
  );
  const candidates: Candidate[] = [];
  for (const input of inputs) {
    const raws = await runs.results(input);
    if (raws !== null) candidates.push(judged(input, raws, subjects, given));
  }
  if (candidates.length === 0) throw runs.failure(given.range !== undefined);
  return candidates;
}

function judged(
  input: Normalization,
  raws: readonly RawResult[],
  subjects: readonly DrawnSubject[],
  given: GivenReading,
): Candidate {
  const output = outputOf(raws, given);
  const maps = raws.map((raw) => mapOf(raw, output));
  const errors = maps.map((map, index) => errorOf(map, raws[index]!, subjects[index]!));
  const error = errors.reduce((a, b) => a + b, 0) / errors.length;
  const fault = error < MAX_ERROR ? null : 'does not find the drawn subject';
  return { reading: { input, output }, error, fault, results: maps };
}

/** Probabilities in their range, or logits that need an activation. */
function outputOf(
  raws: readonly RawResult[],
  { meaning, activation, outputRange: range = [0, 1] }: GivenReading,
): Reading['output'] {
  const { channels } = raws[0]!;
  if (channels > 2) {
    throw new ModelsError(
      `The model gives ${channels} channels, which is neither a picture nor an alpha map; write its manifest by hand, see models/README.md.`,
    );
  }
  const channel = channels - 1;
  if (activation !== undefined) return { meaning: 'alpha', range: [0, 1], activation, channel };
  const [low, high] = range;
  const rounding = ROUNDING * (high - low);
  const isShare = raws.every((raw) =>
    planeOf(raw).every((value) => value >= low - rounding && value <= high + rounding),
  );
  if (meaning === 'alpha' || (meaning !== 'logits' && isShare)) return { meaning: 'alpha', range, channel };
  return { meaning: 'logits', range: [0, 1], activation: channels === 2 ? 'softmax' : 'sigmoid', channel };
}

function planeOf({ planes, channels, height, width }: RawResult): Float32Array {
  return planes.subarray((channels - 1) * height * width);
}

/** The map as gray values, 0–255. */
export function mapOf(raw: RawResult, { meaning, activation, range }: Reading['output']): Float32Array {
  const plane = planeOf(raw);
  if (activation === 'minmax') return stretched(plane);
  const [low, high] = range;
  if (meaning === 'alpha')
    return plane.map((value) => 255 * Math.min(1, Math.max(0, (value - low) / (high - low))));
  return plane.map((value, at) => {
    const other = activation === 'softmax' ? raw.planes[at]! : 0;
    return 255 / (1 + Math.exp(other - value));
  });
}

function stretched(plane: Float32Array): Float32Array {
  let [least, largest] = [Infinity, -Infinity];
  for (const value of plane) [least, largest] = [Math.min(least, value), Math.max(largest, value)];
  return plane.map((value) => (255 * (value - least)) / Math.max(1e-6, largest - least));
}

/** Mean absolute difference from the truth, 0–1. */
function errorOf(map: Float32Array, { height, width }: RawResult, { image, truth }: DrawnSubject): number {
  let sum = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at =
        Math.floor((y * image.height) / height) * image.width + Math.floor((x * image.width) / width);
      sum += Math.abs(map[y * width + x]! / 255 - truth[at]!);
    }
  return sum / (height * width);
}
