import type { ErrorCode } from '../../../kernel/errors/error-codes.js';
import type { ImageHeader } from '../containers/image-header.js';
import type { MetadataOrder } from '../metadata/kept-metadata.js';
import type { ImageRequest } from '../process/image-process-protocol.js';

/** A request to a decoder process: a line of JSON on its standard input, followed by the bytes of the file. */
export type DecoderRequest = ImageRequest & {
  readonly maxPixels: number;
} & (
    | { readonly kind: 'header' }
    | {
        readonly kind: 'decode';
        /** Name of the pixel file to write in the working folder, ending in `.v`. */
        readonly file: string;
        /** Which metadata to write, and the name of the file for it (`KeptMetadata` as JSON). */
        readonly metadata?: MetadataOrder & { readonly file: string };
      }
  );

/** Its response: a line of JSON on its standard output. */
export type DecoderResponse =
  | { readonly kind: 'header'; readonly header: ImageHeader }
  /** Reading the header took too much CPU time, and has not stopped. */
  | { readonly kind: 'slow-header' }
  | { readonly kind: 'decoded'; readonly width: number; readonly height: number; readonly channels: number }
  /** The file was refused. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly detail: string; readonly internal: string }
  /** The file system failed. `code` is the system's error code, for example `ENOSPC`. */
  | { readonly kind: 'disk-fault'; readonly code: string };
