/** Size of an image, and what a pixel of it consists of. */
export interface PixelShape {
  readonly width: number;
  readonly height: number;
  /** 3 = RGB, 4 = RGB with straight (not premultiplied) alpha. */
  readonly channels: 3 | 4;
}

/**
 * Decoded pixels as they travel between codec and inference: 8-bit sRGB, rows top to bottom, channels
 * interleaved (HWC), no padding between rows.
 */
export interface RawImage extends PixelShape {
  readonly data: Uint8Array;
}

/** A rectangle of pixels that lies inside an image. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels that are fetched piece by piece, because the whole image may be larger than the memory for it. */
export interface PixelSource extends PixelShape {
  /** Fills `into` with the rows of a region, without gaps; `into` has region width × height × channels bytes. */
  read(region: Region, into: Uint8Array): Promise<void>;
}

/** Where pixels go piece by piece; the regions do not overlap and cover the image in the end. */
export interface PixelSink extends PixelShape {
  /** Takes the rows of a region, without gaps. `rows` may be reused when the promise settles. */
  write(region: Region, rows: Uint8Array): Promise<void>;
}
