import type { PixelShape } from '../../../kernel/pixels.js';
import type { EncodeOptions } from '../codec/encode.js';
import type { ImageRequest } from '../process/image-process-protocol.js';

/** A request to an encoder process: a line of JSON on its standard input, without further bytes. */
export interface EncoderRequest extends ImageRequest {
  /** Name of the sealed pixel file in the working folder. */
  readonly pixels: string;
  readonly shape: PixelShape;
  /** Name of the file to write in the working folder. */
  readonly file: string;
  readonly options: EncodeOptions;
}

/** Its response: a line of JSON on its standard output. */
export type EncoderResponse =
  | { readonly kind: 'encoded'; readonly bytes: number }
  /** The file system failed. `code` is the system's error code, for example `ENOSPC`. */
  | { readonly kind: 'disk-fault'; readonly code: string }
  | { readonly kind: 'failed'; readonly internal: string };
