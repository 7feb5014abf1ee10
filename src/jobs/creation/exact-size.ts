import type { ExactSize, ResizeFit } from '../../kernel/step-options.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size that a client asks for: one side, or both. */
export interface RequestedSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fit?: ResizeFit | undefined;
}

/**
 * The exact size of a result, which keeps the aspect ratio of the image unless `fill` stretches it or `cover` crops it.
 * @param image before it is enlarged
 */
export function exactSize(image: Size, { width, height, fit = 'inside' }: RequestedSize): ExactSize {
  const across = width === undefined ? Infinity : width / image.width;
  const down = height === undefined ? Infinity : height / image.height;
  if (width !== undefined && height !== undefined && fit !== 'inside') return { width, height, fit };
  const scale = Math.min(across, down);
  const side = (length: number): number => Math.max(1, Math.round(length * scale));
  return {
    width: across === scale && width !== undefined ? width : side(image.width),
    height: down === scale && height !== undefined ? height : side(image.height),
    fit: 'fill',
  };
}

/**
 * Whether a network that enlarges by `scale` reaches a size without enlarging further.
 * @param image before it is enlarged
 */
export function isReached(image: Size, { width, height }: Size, scale: number): boolean {
  return width <= image.width * scale && height <= image.height * scale;
}
