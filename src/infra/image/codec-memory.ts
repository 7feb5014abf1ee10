import type { ImageFormat } from '../../kernel/operations.js';

const MIB = 2 ** 20;

/** Bytes: a part that does not grow with the image once that is larger than a few megapixels, and that of a pixel. */
interface Need {
  readonly fixed: number;
  readonly aPixel: number;
}

/** A small image does not fill the fixed part: row buffers and the like are as wide as it is. */
const FIXED_A_PIXEL = 8;

/**
 * The most that decoding to a file takes, measured on the worst sources of 50 MP: JPEG progressive, 4:4:4 and turned
 * by EXIF; PNG interlaced, RGBA with 16 bits; WebP with alpha, lossless; AVIF of any kind. (An upright baseline JPEG
 * or a PNG that is not interlaced takes the fixed part alone, but its header is not read before it is admitted.)
 */
const DECODING: Readonly<Record<ImageFormat, Need>> = {
  jpeg: { fixed: 30 * MIB, aPixel: 9.5 },
  png: { fixed: 60 * MIB, aPixel: 10 },
  webp: { fixed: 30 * MIB, aPixel: 8.5 },
  avif: { fixed: 30 * MIB, aPixel: 18 },
};

/**
 * The most that encoding from a file takes, measured up to 192 MP. WebP and AVIF encoders keep the whole image in
 * their own form: 5 and 33 bytes a pixel when it is opaque, 14 and 42 with alpha.
 */
const ENCODING: Readonly<Record<ImageFormat, Need>> = {
  jpeg: { fixed: 50 * MIB, aPixel: 0 },
  png: { fixed: 50 * MIB, aPixel: 0 },
  webp: { fixed: 30 * MIB, aPixel: 14 },
  avif: { fixed: 50 * MIB, aPixel: 42 },
};

/** Bytes of memory that decoding a source of so many pixels takes at most. */
export function decodingBytes(format: ImageFormat, pixels: number): number {
  return total(DECODING[format], pixels);
}

/** Bytes of memory that encoding a result of so many pixels takes at most. */
export function encodingBytes(format: ImageFormat, pixels: number): number {
  return total(ENCODING[format], pixels);
}

function total({ fixed, aPixel }: Need, pixels: number): number {
  return Math.min(fixed, FIXED_A_PIXEL * pixels) + aPixel * pixels;
}
