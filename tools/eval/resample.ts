import type { RawImage } from '#src/kernel/pixels.js';

/** A separable kernel and its radius. */
export interface Kernel {
  readonly reach: number;
  readonly weight: (distance: number) => number;
}

/**
 * Keys 1981 with a = −0.5, like MATLAB's imresize(…, 'bicubic'): the usual definition of low resolution in
 * super-resolution papers.
 */
export const BICUBIC: Kernel = {
  reach: 2,
  weight: (distance) => {
    const d = Math.abs(distance);
    if (d <= 1) return 1.5 * d ** 3 - 2.5 * d ** 2 + 1;
    return d < 2 ? -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2 : 0;
  },
};

export const LANCZOS: Kernel = {
  reach: 3,
  weight: (distance) => {
    if (distance === 0) return 1;
    const x = Math.PI * distance;
    return Math.abs(distance) < 3 ? (3 * Math.sin(x) * Math.sin(x / 3)) / (x * x) : 0;
  },
};

/**
 * Resizes the colors, with half-pixel centers, a kernel that is widened when downscaling, mirrored borders, and
 * rounding at the end.
 */
export function resized(image: RawImage, width: number, height: number, kernel: Kernel): RawImage {
  const { data, channels } = image;
  const source = new Float32Array(image.width * image.height * 3);
  for (let pixel = 0; pixel < image.width * image.height; pixel++)
    for (let channel = 0; channel < 3; channel++)
      source[pixel * 3 + channel] = data[pixel * channels + channel]!;
  const rows = along(source, { count: image.height, step: image.width * 3 }, height, kernel);
  const all = columns(rows, image.width, height, width, kernel);
  return {
    width,
    height,
    channels: 3,
    data: Uint8Array.from(all, (value) => Math.min(255, Math.max(0, Math.round(value)))),
  };
}

/** The taps of one output position: the weights, and the source indexes, mirrored at the borders. */
function taps(
  place: number,
  source: number,
  target: number,
  kernel: Kernel,
): readonly (readonly [number, number])[] {
  const scale = target / source;
  const squeeze = Math.min(scale, 1);
  const center = (place + 0.5) / scale - 0.5;
  const half = kernel.reach / squeeze;
  const found: (readonly [number, number])[] = [];
  for (let index = Math.ceil(center - half); index <= Math.floor(center + half); index++)
    found.push([mirrored(index, source), kernel.weight((center - index) * squeeze)]);
  const sum = found.reduce((total, [, weight]) => total + weight, 0);
  return found.map(([index, weight]) => [index, weight / sum]);
}

function mirrored(index: number, size: number): number {
  const turned = ((index % (2 * size)) + 2 * size) % (2 * size);
  return turned < size ? turned : 2 * size - 1 - turned;
}

/** Resizes the outermost axis: `count` slices of `step` numbers. */
function along(
  source: Float32Array,
  { count, step }: { readonly count: number; readonly step: number },
  target: number,
  kernel: Kernel,
): Float32Array {
  const out = new Float32Array(target * step);
  for (let place = 0; place < target; place++) {
    for (const [index, weight] of taps(place, count, target, kernel)) {
      for (let at = 0; at < step; at++) out[place * step + at]! += weight * source[index * step + at]!;
    }
  }
  return out;
}

function columns(
  rows: Float32Array,
  width: number,
  height: number,
  target: number,
  kernel: Kernel,
): Float32Array {
  const out = new Float32Array(height * target * 3);
  for (let place = 0; place < target; place++) {
    const weights = taps(place, width, target, kernel);
    for (let y = 0; y < height; y++) {
      for (const [index, weight] of weights) {
        for (let channel = 0; channel < 3; channel++)
          out[(y * target + place) * 3 + channel]! += weight * rows[(y * width + index) * 3 + channel]!;
      }
    }
  }
  return out;
}

/** Resizes one plane of numbers: bilinear, with half-pixel centers and replicated borders. */
export function sampledPlane(plane: Float32Array, size: number, width: number, height: number): Float32Array {
  const out = new Float32Array(width * height);
  const at = (place: number, target: number): readonly [number, number, number] => {
    const center = Math.min(size - 1, Math.max(0, ((place + 0.5) / target) * size - 0.5));
    const low = Math.floor(center);
    return [low, Math.min(size - 1, low + 1), center - low];
  };
  for (let y = 0; y < height; y++) {
    const [top, bottom, down] = at(y, height);
    for (let x = 0; x < width; x++) {
      const [left, right, across] = at(x, width);
      const upper = plane[top * size + left]! * (1 - across) + plane[top * size + right]! * across;
      const lower = plane[bottom * size + left]! * (1 - across) + plane[bottom * size + right]! * across;
      out[y * width + x] = upper * (1 - down) + lower * down;
    }
  }
  return out;
}
