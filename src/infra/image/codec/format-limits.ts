import type { ImageFormat } from '../../../kernel/operations.js';

/**
 * The longest side each format can be written with: WebP by its specification, JPEG and AVIF by their
 * encoders, PNG by this service (its own bound is 2^31 − 1). Lets a job be refused when it is made, not when
 * it is encoded.
 */
export const MAX_SIDE_PIXELS: Readonly<Record<ImageFormat, number>> = {
  jpeg: 65_500,
  webp: 16_383,
  avif: 16_384,
  png: 1_000_000,
};
