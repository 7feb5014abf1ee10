import type { ErrorCode } from '../../../kernel/errors/error-codes.js';

/** A request to a thumbnail process. */
export interface ThumbnailRequest {
  /** Length of the file, which arrives on standard input. */
  readonly sizeBytes: number;
  /** Longest side of the thumbnail. */
  readonly sidePixels: number;
  readonly maxPixels: number;
  /** A file whose decoder needs more is refused. */
  readonly maxDecodingBytes: number;
}

/** Responses of a thumbnail process, each a line of JSON. */
export type ThumbnailMessage =
  /** Every failure from now on is caused by the file. */
  | { readonly kind: 'ready' }
  /** In base64. */
  | { readonly kind: 'made'; readonly picture: string }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly detail: string };
