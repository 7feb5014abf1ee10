import { IMAGE_CONTENT_TYPES, IMAGE_FORMATS, type ImageFormat } from '../../kernel/operations.js';

interface AcceptedRange {
  readonly type: string;
  readonly quality: number;
}

/** Whether a response may be an image, and which. */
export interface ImagePreference {
  readonly isWanted: boolean;
  /** The only format that is accepted, if it is one. */
  readonly format: ImageFormat | undefined;
}

/**
 * Reads an `Accept` header (RFC 9110 §12.5.1). An image is wanted when one is preferred to JSON. The
 * wildcard that clients send by default prefers nothing.
 */
export function imagePreference(accept: string | undefined): ImagePreference {
  const ranges = (accept ?? '').split(',').flatMap(readRange);
  const images = ranges.filter(({ type, quality }) => type.startsWith('image/') && quality > 0);
  const best = Math.max(0, ...images.map(({ quality }) => quality));
  const json = ranges.find(({ type }) => type === 'application/json')?.quality ?? 0;
  if (images.length === 0 || json >= best) return { isWanted: false, format: undefined };
  const only = images.length === 1 ? images[0]!.type : undefined;
  return { isWanted: true, format: IMAGE_FORMATS.find((format) => IMAGE_CONTENT_TYPES[format] === only) };
}

function readRange(text: string): AcceptedRange[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  if (type === '') return [];
  const quality = parameters.find((part) => part.startsWith('q='));
  const value = quality === undefined ? 1 : Number(quality.slice(2));
  return [{ type, quality: Number.isFinite(value) ? value : 0 }];
}
