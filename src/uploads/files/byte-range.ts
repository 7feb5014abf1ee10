import type { ByteRange } from '../../infra/storage/object-store.js';

/** One range of bytes; the digits of a position are optional on either side, but not on both. */
const SINGLE = /^bytes=\s*(\d*)-(\d*)\s*$/i;

/**
 * The part of a file that a `Range` header requests (RFC 9110 §14). Null means the whole file: for a header that is
 * missing or malformed, names another unit, or requests several ranges, all of which a server may ignore.
 * @param sizeBytes of the whole file
 */
export function requestedRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = SINGLE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') return lastBytes(Number(last), sizeBytes);
  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return null;
  return start >= sizeBytes ? 'unsatisfiable' : { start, end: Math.min(end, sizeBytes - 1) };
}

function lastBytes(count: number, sizeBytes: number): ByteRange | 'unsatisfiable' {
  if (count === 0 || sizeBytes === 0) return 'unsatisfiable';
  return { start: Math.max(0, sizeBytes - count), end: sizeBytes - 1 };
}
