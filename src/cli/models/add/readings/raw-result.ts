import type { OutputAdapter } from '../../../../models/manifest/adapter.js';

/** A model's output for one image, in the model's units: planes [channels][rows][columns]. */
export interface RawResult {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly planes: Float32Array;
}

/** The first item of an output; null when its shape is not that of a picture. */
export function rawResult(
  dims: readonly number[],
  values: Float32Array,
  layout: OutputAdapter['layout'],
): RawResult | null {
  if (layout === 'NHW') {
    if (dims.length !== 3) return null;
    const [, height, width] = dims as [number, number, number];
    return { height, width, channels: 1, planes: values.subarray(0, height * width) };
  }
  if (dims.length !== 4) return null;
  if (layout === 'NCHW') {
    const [, channels, height, width] = dims as [number, number, number, number];
    return { height, width, channels, planes: values.subarray(0, channels * height * width) };
  }
  const [, height, width, channels] = dims as [number, number, number, number];
  const size = height * width;
  const planes = new Float32Array(channels * size);
  for (let channel = 0; channel < channels; channel++)
    for (let pixel = 0; pixel < size; pixel++)
      planes[channel * size + pixel] = values[pixel * channels + channel]!;
  return { height, width, channels, planes };
}
