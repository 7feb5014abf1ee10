import type { ImageFormat } from '../../../kernel/operations.js';

/** The header of an image, read without decoding pixels. */
export interface ImageHeader {
  readonly format: ImageFormat;
  /** Pixels, after EXIF orientation (or AVIF rotation) is applied. */
  readonly width: number;
  readonly height: number;
  /** Whether the decoded image has an alpha channel; a transparent color (PNG tRNS) counts. */
  readonly hasAlpha: boolean;
  /** Maximum memory for decoding, bytes. */
  readonly decodingBytes: number;
}
