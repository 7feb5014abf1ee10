import type { Adapter, InputAdapter } from '../manifest/adapter.js';
import { foreignName } from '../onnx/prefix-names.js';
import { fit, type Fitted } from './fit.js';
import type { GraphWriter, Value } from './graph-writer.js';
import { affine, cast, luma, mirroredChannels } from './operators.js';

/** Share of the 8-bit range that studio luma uses, and its offset. */
export const STUDIO = { factor: 219 / 255, offset: 16 } as const;

/**
 * Converts pixels to the format on which a foreign graph was trained, under the name of that graph's input.
 * @param rgb float32 [N,3,H,W], 0–255
 */
export function feedForeign(g: GraphWriter, rgb: Value, { input, luma: scale }: Adapter): Fitted {
  const channels = selected(g, rgb, input, scale ?? 'full');
  const { factor, offset } = normalization(input);
  const fitted = fit(g, affine(g, channels, factor, offset), input);
  giveForeign(g, fitted.value, input);
  return fitted;
}

/**
 * Gives normalized channels their type and layout, under the name of a foreign graph's input.
 * @param x float32 [N,C,H,W]
 */
export function giveForeign(
  g: GraphWriter,
  x: Value,
  input: Pick<InputAdapter, 'name' | 'layout' | 'dtype'>,
): void {
  const typed = converted(g, x, input);
  const name = foreignName(input.name);
  if (input.layout === 'NHWC') g.named(name, 'Transpose', [typed], { perm: [0, 2, 3, 1] });
  else g.named(name, 'Identity', [typed]);
}

function selected(g: GraphWriter, rgb: Value, input: InputAdapter, scale: 'full' | 'studio'): Value {
  if (input.channels === 'RGB') return rgb;
  if (input.channels === 'BGR') return mirroredChannels(g, rgb);
  return scale === 'full' ? luma(g, rgb) : affine(g, luma(g, rgb), [STUDIO.factor], [STUDIO.offset]);
}

/** Bytes → range → minus mean → divided by std, as one factor and one offset for each channel (or for all). */
export function normalization({
  range: [low, high],
  mean,
  std,
}: Pick<InputAdapter, 'range' | 'mean' | 'std'>): {
  readonly factor: readonly number[];
  readonly offset: readonly number[];
} {
  const count = Math.max(mean?.length ?? 1, std?.length ?? 1);
  const at = (values: readonly number[] | undefined, index: number, fallback: number): number =>
    values === undefined ? fallback : values[values.length === 1 ? 0 : index]!;
  const indices = Array.from({ length: count }, (_, index) => index);
  return {
    factor: indices.map((index) => (high - low) / 255 / at(std, index, 1)),
    offset: indices.map((index) => (low - at(mean, index, 0)) / at(std, index, 1)),
  };
}

function converted(g: GraphWriter, x: Value, { dtype }: Pick<InputAdapter, 'dtype'>): Value {
  if (dtype === 'float32') return x;
  return cast(g, dtype === 'uint8' ? g.op('Round', [x]) : x, dtype);
}
