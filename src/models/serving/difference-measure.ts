/**
 * How two results differ. `color`: the mean absolute difference of R, G and B, percent of full scale. `matte`: 100 − IoU
 * in percent, of the pixels whose alpha is at least ½.
 */
export const DIFFERENCE_MEASURES = ['color', 'matte'] as const;
export type DifferenceMeasure = (typeof DIFFERENCE_MEASURES)[number];

const FULL = 255;

/** Peak signal-to-noise ratio of a mean squared error in 8-bit levels, dB; null for equal pictures. */
export function psnrOf(squaredError: number): number | null {
  return squaredError === 0 ? null : 10 * Math.log10((FULL * FULL) / squaredError);
}
