import type { ImageFormat } from '../../../kernel/operations.js';

/** What the header of an image says; no pixel is decoded for it. */
export interface ImageHeader {
  readonly format: ImageFormat;
  /** Pixels, after EXIF orientation (or AVIF rotation) is applied. */
  readonly width: number;
  readonly height: number;
  /** Whether the decoded image has an alpha channel; a transparent colour (PNG tRNS) counts. */
  readonly hasAlpha: boolean;
  /** Memory that decoding takes at most. */
  readonly decodingBytes: number;
}
