/** Size and channels of an image. */
export interface PixelShape {
  readonly width: number;
  readonly height: number;
  /** 3 = RGB, 4 = RGB with straight (not premultiplied) alpha. */
  readonly channels: 3 | 4;
}

/**
 * Decoded pixels between codec and inference: 8-bit sRGB, rows top to bottom, channels interleaved (HWC), no
 * padding between rows.
 */
export interface RawImage extends PixelShape {
  readonly data: Uint8Array;
}

/** A rectangle inside an image. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels that are read piece by piece, because the image may not fit into memory. */
export interface PixelSource extends PixelShape {
  /** Fills `into` with the rows of a region, without gaps. Its length is region width × height × channels. */
  read(region: Region, into: Uint8Array): Promise<void>;
}

/** Receives pixels piece by piece. Regions do not overlap and finally cover the image. */
export interface PixelSink extends PixelShape {
  /** Writes the rows of a region, without gaps. `rows` may be reused when the promise settles. */
  write(region: Region, rows: Uint8Array): Promise<void>;
}
