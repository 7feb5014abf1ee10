import type { ErrorCode } from '../../../kernel/error-codes.js';

/** What a process that makes one small picture is asked. */
export interface ThumbnailRequest {
  /** Of the file, which comes by the standard input. */
  readonly sizeBytes: number;
  /** Longest side of the picture. */
  readonly sidePixels: number;
  readonly maxPixels: number;
  /** A file whose decoder takes more is refused. */
  readonly maxDecodingBytes: number;
}

/** What that process says, a line of JSON each. */
export type ThumbnailMessage =
  /** Whatever goes wrong from now on is due to the file. */
  | { readonly kind: 'ready' }
  /** In base64. */
  | { readonly kind: 'made'; readonly picture: string }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly detail: string };
