import type { RawImage } from '#src/kernel/pixels.js';

/** One number for each pixel, row by row. */
export interface Plane {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** BT.601 luma, 0–255. */
export function lumaPlane({ data, width, height, channels }: RawImage): Plane {
  const luma = Float32Array.from({ length: width * height }, (_, pixel) => {
    const at = pixel * channels;
    return 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  });
  return { data: luma, width, height };
}

/** Gaussian blur with replicated borders. @param sigma in pixels */
export function blurred(plane: Plane, sigma: number): Plane {
  const reach = Math.ceil(4 * sigma);
  const taps = Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * sigma ** 2)),
  );
  const sum = taps.reduce((a, b) => a + b, 0);
  const weights = taps.map((tap) => tap / sum);
  return filtered(filtered(plane, weights, true), weights, false);
}

function filtered({ data, width, height }: Plane, weights: readonly number[], isAcross: boolean): Plane {
  const reach = (weights.length - 1) / 2;
  const out = new Float32Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let tap = -reach; tap <= reach; tap++) {
        const column = isAcross ? Math.min(width - 1, Math.max(0, x + tap)) : x;
        const row = isAcross ? y : Math.min(height - 1, Math.max(0, y + tap));
        sum += weights[tap + reach]! * data[row * width + column]!;
      }
      out[y * width + x] = sum;
    }
  }
  return { data: out, width, height };
}

/** Length of the gradient at each pixel, at a scale of one pixel; 0 at the border. */
export function slopes(plane: Plane): Plane {
  const { data, width, height } = blurred(plane, 1);
  const out = new Float32Array(data.length);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      out[at] = Math.hypot(data[at + 1]! - data[at - 1]!, data[at + width]! - data[at - width]!) / 2;
    }
  }
  return { data: out, width, height };
}

/** 1 where a value within `reach` pixels, along rows and columns, exceeds the limit. */
export function nearAbove({ data, width, height }: Plane, limit: number, reach: number): Uint8Array {
  const near = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[y * width + x]! <= limit) continue;
      for (let row = Math.max(0, y - reach); row <= Math.min(height - 1, y + reach); row++)
        near.fill(1, row * width + Math.max(0, x - reach), row * width + Math.min(width, x + reach + 1));
    }
  }
  return near;
}
