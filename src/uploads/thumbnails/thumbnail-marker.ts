import type { ImageRefusal } from '../../infra/image/codec/refusals.js';
import { AppError } from '../../kernel/app-error.js';

/** No WebP starts like this. */
const PREFIX = 'no thumbnail: ';
/** Later the machine may have more time for it, or a newer library. */
const KEPT_MS = 24 * 3_600_000;

interface Marker {
  readonly code: ImageRefusal['code'];
  readonly detail: string;
  readonly at: string;
}

/** Stored instead of a thumbnail that could not be created, so that it is not retried at each request. */
export function markerOf({ code, detail }: ImageRefusal): Buffer {
  const marker: Marker = { code, detail, at: new Date().toISOString() };
  return Buffer.from(PREFIX + JSON.stringify(marker));
}

/** Why there is no thumbnail; undefined when these bytes are one. It may be tried again once `isOld`. */
export function readMarker(
  kept: Buffer,
): { readonly refusal: AppError; readonly isOld: boolean } | undefined {
  if (!kept.subarray(0, PREFIX.length).equals(Buffer.from(PREFIX))) return undefined;
  const { code, detail, at } = JSON.parse(kept.toString('utf8', PREFIX.length)) as Marker;
  return { refusal: new AppError(code, { detail }), isOld: Date.now() - Date.parse(at) > KEPT_MS };
}
