import { type Fingerprints, fingerprintOf } from '../../../idempotency/idempotency.service.js';
import type { FileUrls } from '../../../uploads/files/file-urls.js';
import { mapUrls, type NamesUploads } from './map-urls.js';

interface CreationRequest extends NamesUploads {
  readonly sourceUrl?: string;
  /** Of a batch, whose elements may not have been checked yet. */
  readonly sourceUrls?: readonly unknown[];
}

/**
 * What an `Idempotency-Key` of a creation stands for. The URL of an upload is signed anew whenever it is read, so a
 * client that repeats a request after a crash may have another URL of the same upload.
 * @param bodyOf what the request is part of, if it is not the whole body
 */
export function requestFingerprints<Request extends CreationRequest>(
  operation: string,
  request: Request,
  fileUrls: FileUrls,
  bodyOf: (request: Request) => unknown = (whole) => whole,
): Fingerprints {
  const exact = fingerprintOf(operation, bodyOf(request));
  let namesUploads = false;
  // A word before each text: otherwise, a text that is no URL could equal an id.
  const named = (url: string): string => {
    const id = fileUrls.sourceIdIn(url);
    if (id === undefined) return `text ${url}`;
    namesUploads = true;
    return `upload ${id}`;
  };
  const { sourceUrl, sourceUrls } = request;
  const byUpload = {
    ...mapUrls(request, named),
    ...(sourceUrl !== undefined && { sourceUrl: named(sourceUrl) }),
    ...(sourceUrls && {
      sourceUrls: sourceUrls.map((url) => (typeof url === 'string' ? named(url) : url)),
    }),
  };
  return namesUploads ? { exact, byUpload: fingerprintOf(operation, bodyOf(byUpload)) } : { exact };
}
