/** A bucket or a folder may also hold objects of other programs, so no other kinds are listed or written. */
const KINDS = ['incoming', 'probes', 'results', 'sources', 'thumbnails'] as const;
/** Kind and name. The name may not begin with a dot, so no key names a parent folder or a hidden file. */
const KEY = new RegExp(String.raw`^(${KINDS.join('|')})\/([a-z0-9][a-z0-9_.-]*)$`);
const MAX_KEY_LENGTH = 200;

/** The two parts of a key such as `sources/src_…`. */
export interface ObjectKey {
  readonly kind: string;
  readonly name: string;
}

/** Undefined if the text is not an object key. */
export function splitObjectKey(text: string): ObjectKey | undefined {
  const [, kind, name] = text.length > MAX_KEY_LENGTH ? [] : (KEY.exec(text) ?? []);
  return kind === undefined || name === undefined ? undefined : { kind, name };
}

/** @throws RangeError if the text is not an object key, which is a bug */
export function parseObjectKey(text: string): ObjectKey {
  const key = splitObjectKey(text);
  if (key === undefined) {
    throw new RangeError(`not an object key: ${JSON.stringify(text.slice(0, MAX_KEY_LENGTH))}`);
  }
  return key;
}
