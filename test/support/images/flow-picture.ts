import { Jimp } from 'jimp';

/** Decoded pixels, RGBA, 8 bits each. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** Decodes a PNG or JPEG with a decoder that the service does not use and that ignores ICC profiles. */
export async function readPicture(bytes: Buffer): Promise<Picture> {
  const { width, height, data } = (await Jimp.read(bytes)).bitmap;
  return { width, height, data };
}

/** Encodes as PNG, losslessly, again without the service's codec. */
export async function pngOf({ width, height, data }: Picture): Promise<Buffer> {
  // A separate buffer: jimp writes the whole block that a small buffer shares with others.
  const own = Buffer.alloc(data.length);
  own.set(data);
  return Jimp.fromBitmap({ width, height, data: own }).getBuffer('image/png');
}

export function pixelAt({ width, data }: Picture, x: number, y: number): Rgba {
  const at = (y * width + x) * 4;
  return [data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!];
}

/** A part of a picture. */
export function cropped(picture: Picture, x: number, y: number, width: number, height: number): Picture {
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    const from = ((y + row) * picture.width + x) * 4;
    data.set(picture.data.subarray(from, from + width * 4), row * width * 4);
  }
  return { width, height, data };
}

/** Half as wide and high: each pixel is the mean of four. For even sizes. */
export function halved({ width, height, data }: Picture): Picture {
  const half = { width: width / 2, height: height / 2, data: new Uint8Array(data.length / 4) };
  for (let y = 0; y < half.height; y += 1) {
    for (let x = 0; x < half.width * 4; x += 1) {
      const at = (2 * y * width + 2 * (x >> 2)) * 4 + (x & 3);
      const sum = data[at]! + data[at + 4]! + data[at + width * 4]! + data[at + width * 4 + 4]!;
      half.data[y * half.width * 4 + x] = Math.round(sum / 4);
    }
  }
  return half;
}

/** The mean of every channel, unrounded. */
export function meanColor({ data }: Picture): Rgba {
  const sums = [0, 0, 0, 0];
  for (let at = 0; at < data.length; at += 1) sums[at & 3]! += data[at]!;
  const [red, green, blue, alpha] = sums.map((sum) => sum / (data.length / 4));
  return [red!, green!, blue!, alpha!];
}

/** Mean absolute difference of the color channels of two pictures of one size, 0–255. */
export function meanChange(one: Picture, other: Picture): number {
  let sum = 0;
  for (let at = 0; at < one.data.length; at += 1) {
    if ((at & 3) !== 3) sum += Math.abs(one.data[at]! - other.data[at]!);
  }
  return sum / ((one.data.length / 4) * 3);
}

/** Only the alpha channel. */
export function alphaOf({ data }: Picture): number[] {
  const alpha: number[] = [];
  for (let at = 3; at < data.length; at += 4) alpha.push(data[at]!);
  return alpha;
}

/**
 * Peak signal-to-noise ratio of the luminance (BT.601, 16–235 as in MATLAB), decibels, as super-resolution papers
 * state it. @param shave pixels left out along each edge
 */
export function psnrY(one: Picture, other: Picture, shave: number): number {
  let sum = 0;
  let count = 0;
  for (let y = shave; y < one.height - shave; y += 1) {
    for (let x = shave; x < one.width - shave; x += 1, count += 1) {
      sum += (luminance(pixelAt(one, x, y)) - luminance(pixelAt(other, x, y))) ** 2;
    }
  }
  return 10 * Math.log10((255 * 255) / (sum / count));
}

function luminance([red, green, blue]: Rgba): number {
  return 16 + (65.481 * red + 128.553 * green + 24.966 * blue) / 255;
}
