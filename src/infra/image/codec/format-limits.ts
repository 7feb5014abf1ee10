import type { ImageFormat } from '../../../kernel/operations.js';

/**
 * The maximum side of each format: WebP by its specification, JPEG and AVIF by their encoders, PNG by this service (the
 * format's own limit is 2^31 − 1). A job that exceeds it is refused when it is created, not when it is encoded.
 */
export const MAX_SIDE_PIXELS: Readonly<Record<ImageFormat, number>> = {
  jpeg: 65_500,
  webp: 16_383,
  avif: 16_384,
  png: 1_000_000,
};
