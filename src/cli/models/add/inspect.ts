import type { InputAdapter, OutputAdapter, PixelLayout, SizeRule } from '../../../models/manifest/adapter.js';
import type { ForeignModel } from '../../../models/compose/foreign-model.js';
import { type ModelHead, type ModelValue, valueText } from '../../../models/onnx/model-head.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { ModelsError } from '../models-command.js';
import { bestMeaning } from './meaning.js';
import { ModelProbe, type RawResult } from './probe-model.js';
import { receptiveField } from './receptive-field.js';

/** Everything that a file tells about itself when it is tried. */
export interface Inspection {
  readonly input: InputAdapter;
  readonly output: OutputAdapter;
  /** Output pixels per input pixel. */
  readonly scale: number;
  /** Pixels that a result depends on to each side; null where it depends on the whole image. */
  readonly reach: number | null;
  readonly maxBatch: number;
  /** Declared outputs that are not used. */
  readonly leftOut: readonly ModelValue[];
}

const FACTORS = [2, 4, 8, 16, 32, 64];

/**
 * Finds out what a foreign model wants and gives: declared shapes first, then by running it on a photo.
 * @param photo RGB, at least 256 × 256 @throws ModelsError that says what cannot be found out
 */
export async function inspect(model: ForeignModel, folder: string, photo: RawImage): Promise<Inspection> {
  const { value, output } = declared(model.head);
  const layout = layoutOf(value);
  const channels = channelsOf(value, layout) === 1 ? 'Y' : 'RGB';
  const probe = new ModelProbe(model, folder);
  const guess: InputAdapter = {
    name: value.name,
    layout,
    dtype: dtypeOf(value),
    channels,
    range: value.type === 'uint8' ? [0, 255] : [0, 1],
    size: { mode: 'any' },
  };
  const given = {
    name: output.name,
    layout: outputLayout(output, isNativeInput(guess)),
    dtype: dtypeOf(output),
  };
  const run = (image: RawImage, input: InputAdapter, copies?: number): Promise<RawResult | null> =>
    probe.run(image, input, given, copies);
  const size = await sizeRule(value, layout, photo, (image) => run(image, guess));
  if (size === null)
    throw new ModelsError(
      `The model runs at none of the sizes that were tried (67, and multiples of 2 to 64); ${probe.failure === '' ? 'its results do not have whole multiples of the size of the source' : `the runtime says: ${probe.failure}`}.`,
    );
  const image = cropped(photo, edgeOf(size));
  const meaning = await bestMeaning(image, { ...guess, size }, run);
  const input: InputAdapter = { ...guess, size, ...meaning.input };
  const reach = await receptiveField(image, (pixels) => run(pixels, input), meaning.scale, meaning.unit);
  const together = await run(image, input, 2);
  return {
    input,
    output: { ...given, ...meaning.output },
    scale: meaning.scale,
    reach,
    maxBatch: together === null ? 1 : 4,
    leftOut: model.head.outputs.slice(1),
  };
}

function declared(head: ModelHead): { readonly value: ModelValue; readonly output: ModelValue } {
  const [value, ...others] = head.inputs;
  if (value === undefined || others.length > 0) {
    throw new ModelsError(
      `The model takes ${head.inputs.map(valueText).join(' and ') || 'nothing'}; an image model has one input. Export it with the others as constants.`,
    );
  }
  const output = head.outputs[0]!;
  for (const [what, { dims, ...rest }] of [
    ['input', value],
    ['output', output],
  ] as const) {
    if (dims === null || dims.length === 4 || (what === 'output' && dims.length === 3)) continue;
    throw new ModelsError(`The ${what} ${valueText({ dims, ...rest })} is no picture: a picture has 4 axes.`);
  }
  return { value, output };
}

/** A graph that takes and gives the service's own pixels needs no adapter. */
export function isNativeInput({ name, dtype }: InputAdapter): boolean {
  return name === 'image' && dtype === 'uint8';
}

function layoutOf({ name, type, dims }: ModelValue): PixelLayout {
  if (name === 'image' && type === 'uint8') return 'NHWC';
  const isChannels = (size: number | string | undefined): boolean => size === 1 || size === 3;
  return dims !== null && !isChannels(dims[1]) && isChannels(dims[3]) ? 'NHWC' : 'NCHW';
}

function outputLayout({ type, dims }: ModelValue, isOurs: boolean): OutputAdapter['layout'] {
  if (isOurs && type === 'uint8') return 'NHWC';
  if (dims?.length === 3) return 'NHW';
  const few = (size: number | string | undefined): boolean => typeof size === 'number' && size <= 4;
  return dims !== null && !few(dims[1]) && few(dims[3]) ? 'NHWC' : 'NCHW';
}

function channelsOf({ dims }: ModelValue, layout: PixelLayout): number {
  const found = dims?.[layout === 'NCHW' ? 1 : 3];
  if (typeof found !== 'number' || found === 3 || found === 1) return found === 1 ? 1 : 3;
  throw new ModelsError(`The input has ${found} channels; images have 3, or 1 for luminance alone.`);
}

function dtypeOf({ name, type }: ModelValue): InputAdapter['dtype'] {
  if (type === 'float32' || type === 'float16' || type === 'uint8') return type;
  throw new ModelsError(`${name} is ${type}; pixels are float32, float16 or uint8. Export the model so.`);
}

/** Null when it runs at none of the sizes that are tried. */
async function sizeRule(
  { dims }: ModelValue,
  layout: PixelLayout,
  photo: RawImage,
  run: (image: RawImage) => Promise<RawResult | null>,
): Promise<SizeRule | null> {
  const [height, width] = layout === 'NCHW' ? [dims?.[2], dims?.[3]] : [dims?.[1], dims?.[2]];
  if (typeof height === 'number' && typeof width === 'number') return { mode: 'fixed', height, width };
  const keeps = async (edge: number): Promise<boolean> => {
    const made = await run(cropped(photo, { height: edge, width: edge }));
    return made !== null && made.height === made.width && made.height % edge === 0;
  };
  if (await keeps(67)) return { mode: 'any' };
  for (const of of FACTORS) if (await keeps(of * oddAtLeast(48 / of))) return { mode: 'multiple-of', of };
  return null;
}

/** An odd number, so that a multiple by it is one of no larger power of two. */
function oddAtLeast(least: number): number {
  const number = Math.max(3, Math.ceil(least));
  return number % 2 === 1 ? number : number + 1;
}

function edgeOf(size: SizeRule): { readonly height: number; readonly width: number } {
  return size.mode === 'fixed' ? size : { height: 192, width: 192 };
}

/** A part of the photo, or the whole photo repeated, at exactly this size. */
export function cropped(
  { data, width: across, height: down }: RawImage,
  { height, width }: { readonly height: number; readonly width: number },
): RawImage {
  const out = new Uint8Array(height * width * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (((y + 60) % down) * across + ((x + 150) % across)) * 3;
      out.set(data.subarray(at, at + 3), (y * width + x) * 3);
    }
  return { data: out, width, height, channels: 3 };
}
