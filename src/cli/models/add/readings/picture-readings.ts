import type { RawImage } from '../../../../kernel/pixels.js';
import { type Bounds, type Candidate, type Reading, rootMeanSquare } from './candidates.js';
import { DrawnRuns } from './drawn-runs.js';
import { innerPicture, innerPlanes } from './inner-part.js';
import { enlarged } from './enlarged.js';
import type { GivenReading } from './given-reading.js';
import { type Normalization, normalized, usualNormalizations } from './normalization.js';
import type { Probe } from '../probe.js';
import type { RawResult } from './raw-result.js';

type Range = readonly [number, number];
const RANGES: readonly Range[] = [
  [0, 1],
  [0, 255],
  [-1, 1],
];
export const PICTURE_BOUNDS: Bounds = { same: 2, share: 0.3, more: 0.5 };
/** A result with a larger root mean square distance from its source (0–255) does not show the same picture. */
const MAX_ERROR = 60;
/**
 * A result this close to the plain enlargement does not come from the network; with a wrong unit, it changes by at most
 * 1 of 255.
 */
const MIN_USE = 1;
/** Values this far beyond black and white (of 255) are clipped. The overshoot of sharpening is smaller. */
const OVERSHOOT = 25;
const MAX_SATURATED = 0.05;

/** Every reading that is tried for a model that outputs pictures, the most common ones first. */
export async function pictureCandidates(
  probe: Probe,
  pictures: readonly RawImage[],
  scale: number,
  given: GivenReading,
): Promise<readonly Candidate[]> {
  const { ports } = probe;
  const channels = ports.isGray ? 'Y' : (given.channels ?? 'RGB');
  const inputs =
    given.range === undefined
      ? usualNormalizations(channels, ports)
      : [normalizationOf(given, given.range, channels)];
  const sources = pictures.map((picture) => sourceOf(picture, channels, scale));
  const runs = new DrawnRuns(probe, pictures);
  const candidates: Candidate[] = [];
  for (const input of inputs) {
    const raws = await runs.results(input);
    if (raws === null) continue;
    const made = raws.map((raw) => innerOf(raw, scale));
    for (const output of outputsOf(input, probe, given))
      candidates.push(judged({ input, output }, sources, made));
  }
  if (candidates.length === 0) throw runs.failure(given.range !== undefined);
  return candidates;
}

export function normalizationOf(
  { mean, std }: GivenReading,
  range: Range,
  channels: Normalization['channels'],
): Normalization {
  return { channels, range, ...(mean && { mean }), ...(std && { std }) };
}

/** A residual has the units of its input. An image may have others. */
function outputsOf(
  { channels, range }: Normalization,
  { ports }: Probe,
  { meaning, outputRange, outputChannels }: GivenReading,
): readonly Reading['output'][] {
  const isBytes = ports.output.dtype === 'uint8';
  // The TensorFlow.js engine outputs only RGB pictures.
  const isPlain = ports.engine === 'tensorflow';
  const ranges = outputRange !== undefined ? [outputRange] : isBytes ? [[0, 255] as const] : RANGES;
  const order = channels === 'Y' ? channels : (outputChannels ?? channels);
  const isKnown = channels === 'Y' || isPlain || outputChannels !== undefined;
  const orders = isKnown ? [order] : ([channels, channels === 'RGB' ? 'BGR' : 'RGB'] as const);
  const images = orders.flatMap((own) =>
    ranges.map((values) => ({ meaning: 'image', range: values, channels: own }) as const),
  );
  const residuals =
    isBytes || isPlain
      ? []
      : [{ meaning: 'residual', range: outputRange ?? range, channels: order } as const];
  if (meaning === 'image') return images;
  return meaning === 'residual' ? residuals : [...images, ...residuals];
}

/** The inner part of a picture as the model's input shows it, and its plain enlargement. */
interface Source {
  readonly inner: RawImage;
  readonly scale: number;
  /** float32 [C,H,W], 0–255, in the channel order of the input. */
  readonly planes: Float32Array;
  readonly plain: Float32Array;
}

function sourceOf(picture: RawImage, channels: Normalization['channels'], scale: number): Source {
  const planes = normalized(picture, { channels, range: [0, 255] });
  const inner = innerPicture(picture);
  return {
    inner,
    scale,
    planes: innerPlanes(planes, picture, 1),
    plain: innerPlanes(enlarged(planes, picture, scale), picture, scale),
  };
}

/** A result without its border, in the model's units. */
function innerOf({ planes, width, height }: RawResult, scale: number): Float32Array {
  return innerPlanes(planes, { width: width / scale, height: height / scale }, scale);
}

/** @param made one result without its border for each of the first sources */
function judged(reading: Reading, sources: readonly Source[], made: readonly Float32Array[]): Candidate {
  const judgments = made.map((planes, index) => judgment(reading, sources[index]!, planes));
  const mean = (pick: (one: Judgment) => number): number =>
    judgments.reduce((sum, one) => sum + pick(one), 0) / judgments.length;
  const error = mean((one) => one.error);
  const fault = faultOf(
    error,
    mean((one) => one.saturated),
    mean((one) => one.use),
  );
  return { reading, error, fault, results: judgments.map(({ result }) => result) };
}

function faultOf(error: number, saturated: number, use: number): string | null {
  if (!(error < MAX_ERROR)) return 'does not look like its source';
  if (saturated > MAX_SATURATED) return 'is cut off at black or white';
  return use < MIN_USE ? 'is the plain enlargement' : null;
}

interface Judgment {
  /** RGB or gray planes, 0–255, in the channel order of the input. */
  readonly result: Float32Array;
  readonly error: number;
  readonly use: number;
  readonly saturated: number;
}

function judgment({ input, output }: Reading, source: Source, made: Float32Array): Judgment {
  const { inner, scale, planes, plain } = source;
  const [low, high] = output.range;
  const factor = 255 / (high - low);
  const isResidual = output.meaning === 'residual';
  const result = new Float32Array(plain.length);
  const size = inner.height * inner.width * scale * scale;
  const isSwapped = output.channels !== input.channels;
  let beyond = 0;
  let apart = 0;
  for (let start = 0; start < result.length; start += size) {
    const shift = isSwapped ? 2 * size - 2 * start : 0;
    for (let at = start; at < start + size; at++) {
      const own = made[at + shift]! * factor;
      const value = isResidual ? plain[at]! + own : own - low * factor;
      result[at] = value;
      apart += (value - plain[at + shift]!) ** 2;
      if (!(value > -OVERSHOOT && value < 255 + OVERSHOOT)) beyond++;
    }
  }
  return {
    result,
    error: rootMeanSquare(shrunk(result, inner, scale), planes),
    // A swap of red and blue by the reading itself is no work of the network.
    use: Math.min(rootMeanSquare(result, plain), Math.sqrt(apart / result.length)),
    saturated: beyond / result.length,
  };
}

/** Averages the output pixels of each source pixel. */
function shrunk(planes: Float32Array, { width, height }: RawImage, scale: number): Float32Array {
  if (scale === 1) return planes;
  const count = planes.length / (width * height * scale * scale);
  const out = new Float32Array(count * width * height);
  for (let row = 0; row < count * height; row++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let dy = 0; dy < scale; dy++)
        for (let dx = 0; dx < scale; dx++)
          sum += planes[(row * scale + dy) * width * scale + x * scale + dx]!;
      out[row * width + x] = sum / (scale * scale);
    }
  return out;
}
