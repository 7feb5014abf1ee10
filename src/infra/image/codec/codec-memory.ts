import type { ImageFormat } from '../../../kernel/operations.js';

const MIB = 2 ** 20;

/**
 * Bytes: a part that does not grow with the image once that is larger than a few megapixels, and that of a
 * pixel.
 */
interface Need {
  readonly fixed: number;
  readonly aPixel: number;
}

/** A small image does not fill the fixed part: row buffers and the like are as wide as it is. */
const FIXED_A_PIXEL = 8;

/**
 * What decoding to a file takes while only the format is known, measured on sources of 50 MP: JPEG
 * progressive, 4:4:4 and turned by EXIF; PNG with 16 bits, RGBA, interlaced or turned; WebP with alpha,
 * lossless; AVIF with more than 8 bits, 4:4:4. WebP and AVIF never take more; JPEG and PNG hardly ever do
 * (see `HARDEST`).
 */
const DECODING: Readonly<Record<ImageFormat, Need>> = {
  jpeg: { fixed: 30 * MIB, aPixel: 9.5 },
  png: { fixed: 60 * MIB, aPixel: 10 },
  webp: { fixed: 30 * MIB, aPixel: 8.1 },
  avif: { fixed: 30 * MIB, aPixel: 24.3 },
};

/** What makes decoders keep the most: of JPEG and PNG all that a header may say, CMYK included. */
const HARDEST = { channels: 4, isInterlaced: true, isTurned: true } as const;

/** Fixed parts of encoders; JPEG and PNG are written row by row and keep nothing else. */
const ENCODING_FIXED: Readonly<Record<ImageFormat, number>> = {
  jpeg: 50 * MIB,
  png: 50 * MIB,
  webp: 30 * MIB,
  avif: 10 * MIB,
};

/** What a source's header says of the memory its decoder keeps. */
export interface DecoderTraits {
  readonly format: ImageFormat;
  /** As the file has them: 4 for CMYK and RGBA. */
  readonly channels: number;
  /** A progressive JPEG, an interlaced PNG: the decoder keeps the whole image. */
  readonly isInterlaced: boolean;
  /** More than 8 bits a sample. */
  readonly isDeep: boolean;
  /** Another orientation than upright: the whole image is kept in order to turn it. */
  readonly isTurned: boolean;
}

/**
 * How an AVIF keeps color: for every pixel, or for two by two of them. Other formats leave it to their
 * encoders.
 */
export type Chroma = '4:4:4' | '4:2:0';

/** A result on its way into a file. */
export interface EncoderTraits {
  readonly format: ImageFormat;
  readonly hasAlpha: boolean;
}

/**
 * Bytes of memory that decoding a source of so many pixels takes, but for the rarest: `mostDecodingBytes`.
 */
export function decodingBytes(format: ImageFormat, pixels: number): number {
  return total(DECODING[format], pixels);
}

/** Bytes of memory that decoding a source of so many pixels takes at most, whatever else its header says. */
export function mostDecodingBytes(format: ImageFormat, pixels: number): number {
  return bytesToDecode({ ...HARDEST, format, isDeep: format !== 'jpeg' }, pixels);
}

/** Bytes of memory that decoding this very source takes. */
export function bytesToDecode(traits: DecoderTraits, pixels: number): number {
  return total({ fixed: DECODING[traits.format].fixed, aPixel: decodedPixelBytes(traits) }, pixels);
}

function decodedPixelBytes({ format, channels, isInterlaced, isDeep, isTurned }: DecoderTraits): number {
  if (format === 'avif') return isDeep ? DECODING.avif.aPixel : 17.7;
  if (format === 'webp') return DECODING.webp.aPixel;
  // libjpeg keeps coefficients of 2 bytes, libpng the samples as they are.
  const sampleBytes = isDeep ? 2 : 1;
  const kept = format === 'jpeg' ? 2 : 0.9 * sampleBytes;
  return channels * ((isInterlaced ? kept : 0) + (isTurned ? sampleBytes : 0));
}

/** Bytes of memory that encoding a result of so many pixels takes at most, whatever else is asked of it. */
export function encodingBytes(format: ImageFormat, pixels: number): number {
  return bytesToEncode({ format, hasAlpha: true }, '4:4:4', pixels);
}

/**
 * Bytes of memory that encoding this very result takes: WebP and AVIF encoders keep the whole image in their
 * own form. Measured from 12 to 96 MP at the default efforts; AVIF from effort 4 on takes a fifth more, WebP
 * from 5 on more than twice as much.
 */
function bytesToEncode({ format, hasAlpha }: EncoderTraits, chroma: Chroma, pixels: number): number {
  return total(
    { fixed: ENCODING_FIXED[format], aPixel: encodedPixelBytes(format, hasAlpha, chroma) },
    pixels,
  );
}

function encodedPixelBytes(format: ImageFormat, hasAlpha: boolean, chroma: Chroma): number {
  if (format === 'webp') return hasAlpha ? 14 : 5.2;
  if (format !== 'avif') return 0;
  if (chroma === '4:4:4') return hasAlpha ? 41.7 : 32.5;
  return hasAlpha ? 31.5 : 20.2;
}

/** How an AVIF keeps color: for every pixel where that fits into `maxBytes`, else like a camera's JPEG. */
export function avifChroma(hasAlpha: boolean, pixels: number, maxBytes: number): Chroma {
  return bytesToEncode({ format: 'avif', hasAlpha }, '4:4:4', pixels) <= maxBytes ? '4:4:4' : '4:2:0';
}

/** Bytes that encoding a result takes with the chroma that `avifChroma` chooses for it. */
export function estimatedEncodingBytes(traits: EncoderTraits, pixels: number, maxBytes: number): number {
  return bytesToEncode(traits, avifChroma(traits.hasAlpha, pixels, maxBytes), pixels);
}

/** Bytes that encoding a result takes at the least, which is with the chroma that `avifChroma` turns to. */
export function leastEncodingBytes(traits: EncoderTraits, pixels: number): number {
  return bytesToEncode(traits, '4:2:0', pixels);
}

/** The most pixels of a result of this kind that can be encoded within `maxBytes`. */
export function mostPixelsEncoded({ format, hasAlpha }: EncoderTraits, maxBytes: number): number {
  const aPixel = encodedPixelBytes(format, hasAlpha, '4:2:0');
  return aPixel === 0 ? Infinity : Math.max(0, maxBytes - ENCODING_FIXED[format]) / aPixel;
}

function total({ fixed, aPixel }: Need, pixels: number): number {
  return Math.ceil(Math.min(fixed, FIXED_A_PIXEL * pixels) + aPixel * pixels);
}
