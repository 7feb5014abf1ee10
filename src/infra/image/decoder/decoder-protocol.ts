import type { ErrorCode } from '../../../kernel/error-codes.js';
import type { ImageHeader } from '../containers/image-header.js';
import type { ImageRequest } from '../process/image-process-protocol.js';

/** What a decoder process is asked: a line of JSON on its standard input, then the bytes of the file. */
export type DecoderRequest = ImageRequest & {
  readonly maxPixels: number;
} & (
    | { readonly kind: 'header' }
    /** `file`: name of the pixel file to write in the working folder, ending in `.v`. */
    | { readonly kind: 'decode'; readonly file: string }
  );

/** What it answers, a line of JSON each on its standard output. */
export type DecoderResponse =
  | { readonly kind: 'header'; readonly header: ImageHeader }
  | { readonly kind: 'decoded'; readonly width: number; readonly height: number; readonly channels: number }
  /** The file is at fault. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly detail: string; readonly internal: string }
  /** The file system is. `code` is that of the system, for example `ENOSPC`. */
  | { readonly kind: 'disk-fault'; readonly code: string };
