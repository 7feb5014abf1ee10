/**
 * Decoded pixels as they travel between codec and inference: 8-bit sRGB, rows top to bottom, channels
 * interleaved (HWC), 3 = RGB or 4 = RGB with straight (not premultiplied) alpha, no padding between rows.
 */
export interface RawImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}
