import { webcrypto } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { AppError } from '../../../kernel/app-error.js';
import type { ImageFormat } from '../../../kernel/operations.js';
import type { PixelShape, RawImage } from '../../../kernel/pixels.js';
import { refuseFullDisk } from '../../storage/storage-fault.js';
import type { ExifFields } from '../metadata/exif-fields.js';
import { withIptc } from '../metadata/iptc.js';
import type { KeptMetadata } from '../metadata/kept-metadata.js';
import { type Background, onBackground } from './background.js';
import { avifChroma } from './codec-memory.js';
import { MAX_SIDE_PIXELS } from './format-limits.js';
import type { PixelFile } from './pixel-file.js';
import { isSealed, pipelineOf, type SealedPixels } from './pixel-pipeline.js';

export interface EncodeOptions extends Background {
  /** 1–100; ignored for PNG, which is lossless. Default: see `DEFAULT_QUALITY`. */
  readonly quality?: number | undefined;
  /** 1–100: quality of the transparency of a WebP. Default: 100, lossless. */
  readonly alphaQuality?: number | undefined;
  /** 0–9. Effort 3 produces 8% more bytes than 4 in a quarter of the time. */
  readonly avifEffort: number;
  /**
   * Target memory of the encoder. To meet it, a large AVIF is stored with reduced color resolution. Default: unlimited.
   */
  readonly maxEncodingBytes?: number;
  /** 0–6. */
  readonly webpEffort: number;
  /** zlib level 0–9. */
  readonly pngLevel: number;
  /** Whether the channels are equal, so that only one is stored. Such results have no profile. Default: false. */
  readonly isGray?: boolean;
  /** Default: none. */
  readonly metadata?: KeptMetadata | undefined;
}

export interface EncodedImage {
  readonly data: Buffer;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  /** Length of `data`. */
  readonly bytes: number;
  /** Lower-case hex of `data`. */
  readonly sha256: string;
}

/** Default quality: differences are invisible at normal size, and files stay moderate. */
export const DEFAULT_QUALITY = { jpeg: 90, webp: 85, avif: 60 } as const;

/** From this quality on, a JPEG stores full color resolution, for sharp edges. */
const FULL_CHROMA_QUALITY = 90;

/**
 * Encodes sRGB pixels with an sRGB profile and no other metadata (no EXIF, no GPS, no thumbnail). Alpha is
 * kept if the format supports it and no background is set; 3-channel images never get alpha.
 * @throws AppError `too_many_pixels` when a side is longer than the format allows
 */
export async function encodeImage(image: RawImage, options: EncodeOptions): Promise<EncodedImage> {
  const data = await encoder(image, options).toBuffer();
  const { width, height } = image;
  const digest = await webcrypto.subtle.digest('SHA-256', data);
  const sha256 = Buffer.from(digest).toString('hex');
  return { data, format: options.format, width, height, bytes: data.length, sha256 };
}

/**
 * Like `encodeImage`, but from a sealed file to a new one. Leaves no file when it throws. JPEG and PNG are written row
 * by row and need a few megabytes regardless of size. WebP and AVIF encoders keep the whole image; see `encodingBytes`.
 * @returns length of the file, bytes
 * @throws AppError also `service_unavailable`, when the disk is full
 */
export async function encodeToFile(pixels: PixelFile, path: string, options: EncodeOptions): Promise<number> {
  return encodeSealed(pixels, path, options).catch(refuseFullDisk);
}

/**
 * Like `encodeToFile`, but in a process other than the one that created the pixels.
 * @throws the file system's error when the file cannot be written
 */
export async function encodeSealed(
  pixels: SealedPixels,
  path: string,
  options: EncodeOptions,
): Promise<number> {
  try {
    const { size } = await encoder(pixels, options).toFile(path);
    const { format, metadata } = options;
    return format === 'jpeg' && metadata?.iptc !== undefined ? await addIptc(path, metadata.iptc) : size;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function encoder(image: RawImage | SealedPixels, options: EncodeOptions): Sharp {
  assertSides(image, options.format);
  const pixels = onBackground(pipelineOf(image), options);
  const colored = options.isGray === true ? pixels.extractChannel(0) : withProfile(pixels, image);
  return withCodec(withMetadata(colored, options), options, image);
}

/**
 * Attaches the sRGB profile. Our pixel files already contain it. For pixels in memory, the library converts sRGB to
 * sRGB, which is slow.
 */
function withProfile(pixels: Sharp, image: RawImage | SealedPixels): Sharp {
  return isSealed(image) ? pixels.keepIccProfile() : pixels.withIccProfile('srgb');
}

function withMetadata(pixels: Sharp, { metadata, isGray }: EncodeOptions): Sharp {
  if (metadata === undefined) return pixels;
  const { exif, xmp } = metadata;
  if (Object.keys(exif).length > 0) pixels.withExif(mapFields(isGray === true ? exif : inSrgb(exif)));
  return xmp === undefined ? pixels : pixels.withXmp(xmp);
}

/** Without this field, the library writes that the colors are uncalibrated. */
function inSrgb(exif: ExifFields): ExifFields {
  return { ...exif, IFD2: { ...exif.IFD2, ColorSpace: '1' } };
}

/** The library drops trailing parentheses from a value, because it takes them for its own annotation. */
function mapFields(exif: ExifFields): Record<string, Record<string, string>> {
  return Object.fromEntries(
    Object.entries(exif).map(([directory, fields]) => [
      directory,
      Object.fromEntries(
        Object.entries(fields).map(([name, text]) => [name, text.endsWith(')') ? `${text} ()` : text]),
      ),
    ]),
  );
}

/** The library writes no IPTC metadata of its own. */
async function addIptc(path: string, block: string): Promise<number> {
  const whole = withIptc(await readFile(path), Buffer.from(block, 'base64'));
  await writeFile(path, whole);
  return whole.length;
}

/** @throws AppError `too_many_pixels` when a side is longer than the format allows */
export function assertSides({ width, height }: PixelShape, format: ImageFormat): void {
  const maxSide = MAX_SIDE_PIXELS[format];
  if (width <= maxSide && height <= maxSide) return;
  throw new AppError('too_many_pixels', {
    detail: `The result is ${width} × ${height} pixels. ${format} allows at most ${maxSide} pixels per side. Choose another output format.`,
  });
}

function withCodec(pixels: Sharp, options: EncodeOptions, shape: PixelShape): Sharp {
  const { format, quality, alphaQuality = 100, webpEffort, pngLevel } = options;
  if (format === 'jpeg') return withJpeg(pixels, options);
  if (format === 'webp')
    return pixels.webp({ quality: quality ?? DEFAULT_QUALITY.webp, alphaQuality, effort: webpEffort });
  if (format === 'avif') return withAvif(pixels, options, shape);
  // Filters chosen row by row make photos about a third smaller for a third more time.
  return pixels.png({ compressionLevel: pngLevel, adaptiveFiltering: true, palette: false });
}

/** Plain JPEG: mozjpeg takes eight times as long, optimized Huffman tables twice, for 1% of the bytes. */
function withJpeg(pixels: Sharp, options: EncodeOptions): Sharp {
  const quality = options.quality ?? DEFAULT_QUALITY.jpeg;
  return pixels.jpeg({
    quality,
    mozjpeg: false,
    optimiseCoding: false,
    chromaSubsampling: quality >= FULL_CHROMA_QUALITY ? '4:4:4' : '4:2:0',
  });
}

/** 4:4:4 if it fits into memory; see `avifChroma`. */
function withAvif(pixels: Sharp, options: EncodeOptions, { width, height, channels }: PixelShape): Sharp {
  const hasAlpha = channels === 4 && options.background === undefined;
  return pixels.avif({
    quality: options.quality ?? DEFAULT_QUALITY.avif,
    effort: options.avifEffort,
    chromaSubsampling: avifChroma(hasAlpha, width * height, options.maxEncodingBytes ?? Infinity),
  });
}
