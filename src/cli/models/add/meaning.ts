import type { InputAdapter, OutputAdapter } from '../../../models/manifest/adapter.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { ModelsError } from '../models-command.js';
import type { RawResult } from './probe-model.js';

/** What the output means, and the input range under which it does. */
export interface Meaning {
  readonly input: Pick<InputAdapter, 'range'>;
  readonly output: Pick<OutputAdapter, 'meaning' | 'range'> & Partial<OutputAdapter>;
  readonly scale: number;
  /** What one of 255 is in the output. */
  readonly unit: number;
}

type Range = readonly [number, number];
const RANGES: readonly Range[] = [
  [0, 1],
  [0, 255],
  [-1, 1],
];
/** A later guess must fit clearly better, by a step of 255: networks without biases are as right in any range. */
const CLEARLY = { share: 0.8, steps: 1 } as const;
/** A result this far from its source (of 255, root mean square) is no picture of it. */
const MOST_DIFFERENCE = 60;

type Run = (image: RawImage, input: InputAdapter) => Promise<RawResult | null>;

/** Tries the usual ranges on a photo: a picture must look like its source, shrunk again. @throws ModelsError */
export async function bestMeaning(image: RawImage, input: InputAdapter, run: Run): Promise<Meaning> {
  const first = await run(image, input);
  if (first === null) throw new ModelsError('The model does not run on a photo.');
  const wanted = input.channels === 'Y' ? 1 : 3;
  if (first.channels !== wanted) return mapMeaning(first, input);
  const scale = first.height / image.height;
  if (!Number.isInteger(scale) || first.width !== image.width * scale || scale > 8) {
    throw new ModelsError(
      `The model makes ${first.height} × ${first.width} of ${image.height} × ${image.width}; a result must be 1 to 8 times as large, in whole steps.`,
    );
  }
  return imageMeaning(image, input, run, scale);
}

async function imageMeaning(image: RawImage, input: InputAdapter, run: Run, scale: number): Promise<Meaning> {
  let best: { readonly meaning: Meaning; readonly difference: number } | null = null;
  for (const range of input.dtype === 'uint8' ? ([[0, 255]] as const) : RANGES) {
    const raw = await run(image, { ...input, range });
    if (raw === null) continue;
    for (const meaning of ['image', 'residual'] as const) {
      const difference = differenceFrom(image, raw, { scale, range, meaning });
      if (best !== null && difference > best.difference * CLEARLY.share - CLEARLY.steps) continue;
      const output = { meaning, range, channels: input.channels };
      best = { meaning: { input: { range }, output, scale, unit: (range[1] - range[0]) / 255 }, difference };
    }
  }
  if (best === null || best.difference > MOST_DIFFERENCE) {
    throw new ModelsError(
      'What the model gives does not look like its source in any usual range (0–1, 0–255, −1–1); write its manifest by hand, see models/README.md.',
    );
  }
  return best.meaning;
}

/** Root mean square, of 255, between the source's luminance and the result's, shrunk to the source's size. */
function differenceFrom(
  image: RawImage,
  raw: RawResult,
  { scale, range: [low, high], meaning }: { scale: number; range: Range; meaning: 'image' | 'residual' },
): number {
  const factor = 255 / (high - low);
  let sum = 0;
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      const source = lumaAt(image, y, x);
      let made = 0;
      for (let dy = 0; dy < scale; dy++)
        for (let dx = 0; dx < scale; dx++) made += lumaOf(raw, y * scale + dy, x * scale + dx);
      made /= scale * scale;
      const value = meaning === 'image' ? (made - low) * factor : source + made * factor;
      sum += (value - source) ** 2;
    }
  }
  return Math.sqrt(sum / (image.height * image.width));
}

function lumaAt({ data, width }: RawImage, y: number, x: number): number {
  const at = (y * width + x) * 3;
  return 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
}

function lumaOf(raw: RawResult, y: number, x: number): number {
  if (raw.channels === 1) return raw.at(y, x, 0);
  return 0.299 * raw.at(y, x, 0) + 0.587 * raw.at(y, x, 1) + 0.114 * raw.at(y, x, 2);
}

/** One plane (or two, background first) is how much of the subject each pixel is. */
function mapMeaning(raw: RawResult, { range }: InputAdapter): Meaning {
  if (raw.channels > 2) {
    throw new ModelsError(
      `The model gives ${raw.channels} channels, which is neither a picture nor an alpha map; write its manifest by hand, see models/README.md.`,
    );
  }
  let [least, largest] = [Infinity, -Infinity];
  for (let y = 0; y < raw.height; y++)
    for (let x = 0; x < raw.width; x++) {
      const value = raw.at(y, x, raw.channels - 1);
      least = Math.min(least, value);
      largest = Math.max(largest, value);
    }
  const isShare = least >= -0.01 && largest <= 1.01;
  const common = { input: { range }, scale: 1, unit: 1 / 255 };
  if (isShare) return { ...common, output: { meaning: 'alpha', range: [0, 1], channel: raw.channels - 1 } };
  const activation = raw.channels === 2 ? 'softmax' : 'sigmoid';
  return { ...common, output: { meaning: 'logits', range: [0, 1], activation, channel: raw.channels - 1 } };
}
