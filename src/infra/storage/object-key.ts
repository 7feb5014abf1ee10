/** The kinds of objects that are kept. */
export type ObjectKind = 'sources' | 'results';

/** One segment: no leading dot, so neither `..` nor the store's own hidden folders can be named. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const MAX_KEY_LENGTH = 200;

/**
 * The key of an object, for example `sources/9f/src_0192….jpg`. The folder between is the end of the id: ids begin
 * with their time, so their beginnings would put a day's work into one folder.
 * @param id of the row that owns the object.
 */
export function objectKey(kind: ObjectKind, id: string, extension: string): string {
  const key = `${kind}/${id.slice(-2)}/${id}.${extension}`;
  assertObjectKey(key);
  return key;
}

/**
 * Guards a store against keys that could name anything outside of it.
 * @throws RangeError: keys are made by this service, so a bad one is a fault in the code and never a client's.
 */
export function assertObjectKey(key: string): void {
  const segments = key.split('/');
  if (
    key.length <= MAX_KEY_LENGTH &&
    segments.length > 1 &&
    segments.every((segment) => SEGMENT.test(segment))
  ) {
    return;
  }
  throw new RangeError(`not an object key: ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH))}`);
}
