/** The input format of a foreign graph, and the meaning of its output. Published in models/manifest.schema.json. */

export type PixelLayout = 'NCHW' | 'NHWC';
export type PixelDtype = 'float32' | 'float16' | 'uint8';
export type PixelChannels = 'RGB' | 'BGR' | 'Y';

/** The sizes that a graph accepts, pixels. */
export type SizeRule =
  | { readonly mode: 'any' }
  | { readonly mode: 'multiple-of'; readonly of: number }
  | { readonly mode: 'fixed'; readonly height: number; readonly width: number };

/** From 8-bit pixels to the tensor that the graph was trained on. */
export interface InputAdapter {
  readonly name: string;
  readonly layout: PixelLayout;
  readonly dtype: PixelDtype;
  readonly channels: PixelChannels;
  /** The values of bytes 0 and 255, before mean and std. */
  readonly range: readonly [number, number];
  /** Subtracted after `range`: one number, or one for each channel in the graph's order. */
  readonly mean?: readonly number[];
  /** Divisor after `mean`. */
  readonly std?: readonly number[];
  readonly size: SizeRule;
  /** How a tile of another size is fitted: by extending its border, or by resizing. */
  readonly resize?: 'pad' | 'stretch';
}

export type OutputMeaning = 'image' | 'alpha' | 'logits' | 'residual';
export type Activation = 'none' | 'sigmoid' | 'tanh' | 'softmax' | 'minmax';
export type Interpolation = 'nearest' | 'bilinear' | 'bicubic';

/** From the graph's output back to pixels or a map. */
export interface OutputAdapter {
  readonly name: string;
  /** `NHW`: no channel axis, one map. */
  readonly layout: PixelLayout | 'NHW';
  readonly dtype: PixelDtype;
  readonly meaning: OutputMeaning;
  /** Channel order of an image or residual. */
  readonly channels?: PixelChannels;
  /** The values of 0 and 255 (image), or 0 and 1 (alpha); for a residual only their difference counts. */
  readonly range: readonly [number, number];
  /** Applied to the raw output. Default: `sigmoid` for logits, otherwise `none`. */
  readonly activation?: Activation;
  /** The index of the alpha channel among several; default 0. */
  readonly channel?: number;
  /** How chroma, alpha, and the base of a residual are enlarged; default bicubic. */
  readonly base?: Interpolation;
  /** `blend`: the level's strength mixes the result with the (enlarged) source. Default: ignored. */
  readonly strength?: 'ignore' | 'blend';
}

/** The range of a foreign graph's luma: 0–255 as in JPEG, or 16–235 as in MATLAB and video. */
export type LumaScale = 'full' | 'studio';

/** Everything that is needed to wrap a foreign graph. */
export interface Adapter {
  readonly input: InputAdapter;
  readonly output: OutputAdapter;
  /** Range of Y; default full. */
  readonly luma?: LumaScale;
}
