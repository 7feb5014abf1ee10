/** How a foreign graph wants its pixels, and what its output means. Published in models/manifest.schema.json. */

export type PixelLayout = 'NCHW' | 'NHWC';
export type PixelDtype = 'float32' | 'float16' | 'uint8';
export type PixelChannels = 'RGB' | 'BGR' | 'Y';

/** The sizes a graph takes, in pixels. */
export type SizeRule =
  | { readonly mode: 'any' }
  | { readonly mode: 'multiple-of'; readonly of: number }
  | { readonly mode: 'fixed'; readonly height: number; readonly width: number };

/** From 8-bit pixels to the tensor the graph was trained on. */
export interface InputAdapter {
  readonly name: string;
  readonly layout: PixelLayout;
  readonly dtype: PixelDtype;
  readonly channels: PixelChannels;
  /** What bytes 0 and 255 become, before mean and std. */
  readonly range: readonly [number, number];
  /** Subtracted after `range`: one number, or one for each channel in the graph's order. */
  readonly mean?: readonly number[];
  /** Divided by after `mean`. */
  readonly std?: readonly number[];
  readonly size: SizeRule;
  /** How a tile of another size is made to fit: continued by its border, or squeezed. */
  readonly resize?: 'pad' | 'stretch';
}

export type OutputMeaning = 'image' | 'alpha' | 'logits' | 'residual';
export type Activation = 'none' | 'sigmoid' | 'tanh' | 'softmax' | 'minmax';
export type Interpolation = 'nearest' | 'bilinear' | 'bicubic';

/** From the graph's output back to pixels, or to a map. */
export interface OutputAdapter {
  readonly name: string;
  /** `NHW`: no channel axis, one map. */
  readonly layout: PixelLayout | 'NHW';
  readonly dtype: PixelDtype;
  readonly meaning: OutputMeaning;
  /** Of an image or residual. */
  readonly channels?: PixelChannels;
  /** What means 0 and 255 (an image), 0 and 1 (alpha); of a residual only the distance counts. */
  readonly range: readonly [number, number];
  /** Applied to the raw output. Default: `sigmoid` for logits, else `none`. */
  readonly activation?: Activation;
  /** Which channel of several holds the alpha; default 0. */
  readonly channel?: number;
  /** How chroma, alpha and what a residual is added to are enlarged; default bicubic. */
  readonly base?: Interpolation;
  /** `blend`: the level's strength mixes the result with the (enlarged) source. Default: ignored. */
  readonly strength?: 'ignore' | 'blend';
}

/** What a foreign graph's luma means: 0–255 as in JPEG, or 16–235 as MATLAB and video count. */
export type LumaScale = 'full' | 'studio';

/** Everything the catalogue needs to wrap a foreign graph. */
export interface Adapter {
  readonly input: InputAdapter;
  readonly output: OutputAdapter;
  /** Meaning of Y; default full. */
  readonly luma?: LumaScale;
}
