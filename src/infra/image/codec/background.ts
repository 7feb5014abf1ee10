import type { Sharp } from 'sharp';
import type { ImageFormat } from '../../../kernel/operations.js';

/** What a result shows where it is transparent. */
export interface Background {
  readonly format: ImageFormat;
  /** `#rrggbb` behind the image, which removes its transparency. Default: white for JPEG, otherwise none. */
  readonly background?: string | undefined;
}

/** A background removes transparency, even if the format supports it. JPEG never has transparency. */
export function onBackground(pixels: Sharp, { format, background }: Background): Sharp {
  if (background === undefined && format !== 'jpeg') return pixels;
  return pixels.flatten({ background: background ?? '#ffffff' });
}
