import type { Region } from './pixels.js';

/** What the result shows: the picture, its matte, or the outline of its matte. */
export const OUTPUT_KINDS = ['image', 'mask', 'edges'] as const;
export type OutputKind = (typeof OUTPUT_KINDS)[number];

/** How a background picture fills the result: cropped to cover it, or whole with transparent bars. */
export const BACKGROUND_FITS = ['cover', 'contain'] as const;
export type BackgroundFit = (typeof BACKGROUND_FITS)[number];

/** Whether the result keeps the descriptive metadata of its source. */
export const METADATA_MODES = ['strip', 'keep', 'keep-no-gps'] as const;
export type MetadataMode = (typeof METADATA_MODES)[number];

/** A soft shadow. Lengths are shares of the longer side of the subject. */
export interface Shadow {
  /** 0–1. */
  readonly opacity: number;
  /** The standard deviation of the blur. */
  readonly blur: number;
  /** Positive: to the right. */
  readonly offsetX: number;
  /** Positive: down. */
  readonly offsetY: number;
}

/** The shadow of `shadow: true`: light from above, slightly from the left. */
export const DEFAULT_SHADOW: Shadow = { opacity: 0.4, blur: 0.025, offsetX: 0.01, offsetY: 0.025 };

/** Bounds of the options, for validation and documentation. */
export const MAX_PADDING = 0.5;
export const MAX_SHADOW_BLUR = 0.2;
export const MAX_SHADOW_OFFSET = 0.5;

/** What was done to the result besides its operations; of the optional fields only those that apply are present. */
export interface AppliedOutput {
  /** The part of the rendered picture that the result shows. It may reach beyond the picture. */
  readonly crop?: Region;
  /** The shadow in pixels. */
  readonly shadow?: {
    readonly opacity: number;
    readonly blurPixels: number;
    readonly offsetXPixels: number;
    readonly offsetYPixels: number;
  };
  readonly background?: 'color' | 'picture';
  readonly kind: OutputKind;
  /** The quality of the encoder; absent for PNG. */
  readonly quality?: number;
  readonly metadata: MetadataMode;
  /** The IPTC digital source type that was written. */
  readonly digitalSourceType?: string;
  /** How sure the matte is, 0–1. */
  readonly confidence?: number;
}
