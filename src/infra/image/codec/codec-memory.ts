import type { ImageFormat } from '../../../kernel/operations.js';

const MIB = 2 ** 20;

/**
 * Memory in bytes: a part that is constant for images larger than a few megapixels, and a part for each pixel.
 */
interface Need {
  readonly fixed: number;
  readonly aPixel: number;
}

/** Limits the constant part for small images, because row buffers and the like are only as wide as the image. */
const FIXED_A_PIXEL = 8;

/**
 * Memory for decoding to a file while only the format is known, measured on sources of 50 MP: JPEG progressive, 4:4:4,
 * and rotated by EXIF; PNG with 16 bits, RGBA, interlaced, or rotated; WebP with alpha, lossless; AVIF with more than 8
 * bits, 4:4:4. WebP and AVIF never need more; JPEG and PNG rarely do (see `HARDEST`).
 */
const DECODING: Readonly<Record<ImageFormat, Need>> = {
  jpeg: { fixed: 30 * MIB, aPixel: 9.5 },
  png: { fixed: 60 * MIB, aPixel: 10 },
  webp: { fixed: 30 * MIB, aPixel: 8.1 },
  avif: { fixed: 30 * MIB, aPixel: 24.3 },
};

/** The most demanding JPEG and PNG headers, CMYK included. */
const HARDEST = { channels: 4, isInterlaced: true, isTurned: true } as const;

/** Constant parts of encoders. JPEG and PNG are written row by row and keep nothing else. */
const ENCODING_FIXED: Readonly<Record<ImageFormat, number>> = {
  jpeg: 50 * MIB,
  png: 50 * MIB,
  webp: 30 * MIB,
  avif: 10 * MIB,
};

/** The parts of a source's header that determine the memory of its decoder. */
export interface DecoderTraits {
  readonly format: ImageFormat;
  /** The number of channels in the file: 4 for CMYK and RGBA. */
  readonly channels: number;
  /** A progressive JPEG or an interlaced PNG: the decoder keeps the whole image. */
  readonly isInterlaced: boolean;
  /** More than 8 bits per sample. */
  readonly isDeep: boolean;
  /** Not upright: the whole image is kept in order to rotate it. */
  readonly isTurned: boolean;
}

/**
 * Bytes per pixel of a WebP with transparency at the default effort, measured from 12 to 49 MP. An ordinary cutout takes
 * 19.6, one with noise along its edge 24, and transparency that differs from pixel to pixel 36. Results are accepted up
 * to a lower number, because the process of an encoder may take more than the limit (`PROCESS_BASE_BYTES`). At 49 MP, that is
 * enough for ordinary cutouts; others fail.
 */
const WEBP_ALPHA = { accepted: 14, usual: 20, most: 36.1 } as const;

/** How an AVIF stores color: for every pixel, or for blocks of 2 × 2. Other formats leave this to their encoders. */
export type Chroma = '4:4:4' | '4:2:0';

/** A result to be encoded. */
export interface EncoderTraits {
  readonly format: ImageFormat;
  readonly hasAlpha: boolean;
}

/**
 * Bytes needed to decode a source of this many pixels, except for very rare files: see `worstCaseDecodingBytes`.
 */
export function decodingBytes(format: ImageFormat, pixels: number): number {
  return total(DECODING[format], pixels);
}

/** Maximum bytes needed to decode a source of this many pixels, regardless of the rest of its header. */
export function worstCaseDecodingBytes(format: ImageFormat, pixels: number): number {
  return bytesToDecode({ ...HARDEST, format, isDeep: format !== 'jpeg' }, pixels);
}

/** Bytes needed to decode this source. */
export function bytesToDecode(traits: DecoderTraits, pixels: number): number {
  return total({ fixed: DECODING[traits.format].fixed, aPixel: decodedPixelBytes(traits) }, pixels);
}

function decodedPixelBytes({ format, channels, isInterlaced, isDeep, isTurned }: DecoderTraits): number {
  if (format === 'avif') return isDeep ? DECODING.avif.aPixel : 17.7;
  if (format === 'webp') return DECODING.webp.aPixel;
  // libjpeg keeps coefficients of 2 bytes, libpng the samples unchanged.
  const sampleBytes = isDeep ? 2 : 1;
  const kept = format === 'jpeg' ? 2 : 0.9 * sampleBytes;
  return channels * ((isInterlaced ? kept : 0) + (isTurned ? sampleBytes : 0));
}

/** Bytes needed to encode a result of this many pixels, regardless of the other options: the most for an AVIF. */
export function encodingBytes(traits: EncoderTraits, pixels: number): number {
  return bytesToEncode(traits, '4:4:4', pixels);
}

/**
 * Bytes needed to encode this result: WebP and AVIF encoders keep the whole image in their own format. Measured from 12
 * to 96 MP at the default efforts. An AVIF is assumed to have transparency that differs from pixel to pixel, and needs
 * 5 bytes less if it is smooth. AVIF needs a fifth more from effort 4 on.
 * @param webpAlphaBytes see `WEBP_ALPHA`
 */
function bytesToEncode(
  { format, hasAlpha }: EncoderTraits,
  chroma: Chroma,
  pixels: number,
  webpAlphaBytes: number = WEBP_ALPHA.usual,
): number {
  const aPixel = encodedPixelBytes({ format, hasAlpha }, chroma, webpAlphaBytes);
  return total({ fixed: ENCODING_FIXED[format], aPixel }, pixels);
}

function encodedPixelBytes(
  { format, hasAlpha }: EncoderTraits,
  chroma: Chroma,
  webpAlphaBytes: number,
): number {
  if (format === 'webp') return hasAlpha ? webpAlphaBytes : 5.2;
  if (format !== 'avif') return 0;
  if (chroma === '4:4:4') return hasAlpha ? 47 : 32.5;
  return hasAlpha ? 36.3 : 20.2;
}

/** How an AVIF stores color: for every pixel if that fits into `maxBytes`, otherwise like a camera's JPEG. */
export function avifChroma(hasAlpha: boolean, pixels: number, maxBytes: number): Chroma {
  return bytesToEncode({ format: 'avif', hasAlpha }, '4:4:4', pixels) <= maxBytes ? '4:4:4' : '4:2:0';
}

/** Maximum bytes needed to encode a result with the chroma that `avifChroma` chooses, for any picture. */
export function worstCaseEncodingBytes(traits: EncoderTraits, pixels: number, maxBytes: number): number {
  return bytesToEncode(traits, avifChroma(traits.hasAlpha, pixels, maxBytes), pixels, WEBP_ALPHA.most);
}

/** Minimum bytes needed to encode a result, with the chroma that `avifChroma` falls back to. */
export function bestCaseEncodingBytes(traits: EncoderTraits, pixels: number): number {
  return bytesToEncode(traits, '4:2:0', pixels, WEBP_ALPHA.accepted);
}

/** The maximum pixels of a result of this kind that can be encoded within `maxBytes`. */
export function maxPixelsEncoded(traits: EncoderTraits, maxBytes: number): number {
  const aPixel = encodedPixelBytes(traits, '4:2:0', WEBP_ALPHA.accepted);
  return aPixel === 0 ? Infinity : Math.max(0, maxBytes - ENCODING_FIXED[traits.format]) / aPixel;
}

function total({ fixed, aPixel }: Need, pixels: number): number {
  return Math.ceil(Math.min(fixed, FIXED_A_PIXEL * pixels) + aPixel * pixels);
}
