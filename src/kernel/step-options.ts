import type { ImageFormat } from './operations.js';

/** How a result fits a requested size: inside it, cropped at its center to cover it, or stretched to it. */
export const RESIZE_FITS = ['inside', 'cover', 'fill'] as const;
export type ResizeFit = (typeof RESIZE_FITS)[number];

/** The exact size of a step's result, in pixels. */
export interface ExactSize {
  readonly width: number;
  readonly height: number;
  readonly fit: Exclude<ResizeFit, 'inside'>;
}

/** An upload that corrects a cutout, with what a worker must know of it before it claims the job. */
export interface StepMask {
  readonly sourceId: string;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
}
