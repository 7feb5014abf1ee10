import type { InputAdapter } from '../../../../models/manifest/adapter.js';
import { normalization } from '../../../../models/compose/foreign-input.js';
import type { RawImage } from '../../../../kernel/pixels.js';
import type { Ports } from '../ports.js';

/** How bytes are converted to the numbers that a model was trained on. */
export type Normalization = Pick<InputAdapter, 'channels' | 'range' | 'mean' | 'std'>;

/** A normalization with its common name. */
interface Named {
  readonly name: string;
  readonly how: Omit<Normalization, 'channels'>;
}

const USUAL: readonly Named[] = [
  { name: '0 to 1', how: { range: [0, 1] } },
  { name: '0 to 255', how: { range: [0, 255] } },
  { name: '-1 to 1', how: { range: [-1, 1] } },
  {
    name: 'ImageNet',
    how: { range: [0, 1], mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
  },
  { name: '-0.5 to 0.5', how: { range: [0, 1], mean: [0.5], std: [1] } },
];

const RANGES = [
  [0, 1],
  [0, 255],
  [-1, 1],
  [-0.5, 0.5],
] as const;

/** The most common training normalizations. They differ between channels only for three channels. */
export function usualNormalizations(
  channels: Normalization['channels'],
  { engine, input }: Pick<Ports, 'engine' | 'input'>,
): readonly Normalization[] {
  if (input.dtype === 'uint8') return [{ channels, range: [0, 255] }];
  // The TensorFlow.js engine supports only ranges.
  if (engine === 'tensorflow') return RANGES.map((range) => ({ channels, range }));
  const usual = USUAL.filter(({ how }) => channels !== 'Y' || (how.mean?.length ?? 1) === 1);
  return usual.map(({ how }) => Object.assign({ channels }, how));
}

/** As options of `models add`. */
export function normalizationOptions({ channels, range, mean, std }: Normalization): string {
  return [
    `--range ${range.join(',')}`,
    ...(mean === undefined ? [] : [`--mean ${mean.join(',')}`]),
    ...(std === undefined ? [] : [`--std ${std.join(',')}`]),
    ...(channels === 'BGR' ? ['--channels BGR'] : []),
  ].join(' ');
}

/** float32 [C,H,W] of a picture: channels in the model's order, normalized. */
export function normalized(image: RawImage, how: Normalization): Float32Array<ArrayBuffer> {
  const { factor, offset } = normalization(how);
  const size = image.width * image.height;
  const order = how.channels === 'BGR' ? [2, 1, 0] : [0, 1, 2];
  const count = how.channels === 'Y' ? 1 : 3;
  const out = new Float32Array(count * size);
  for (let channel = 0; channel < count; channel++) {
    const [by, plus] = [factor[channel] ?? factor[0]!, offset[channel] ?? offset[0]!];
    for (let pixel = 0; pixel < size; pixel++) {
      const at = pixel * image.channels;
      const byte = count === 1 ? lumaOf(image.data, at) : image.data[at + order[channel]!]!;
      out[channel * size + pixel] = byte * by + plus;
    }
  }
  return out;
}

/** BT.601. */
export function lumaOf(data: Uint8Array, at: number): number {
  return 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
}
