/** Kind and name. Neither may begin with a dot, so no key names a parent folder or a hidden file. */
const KEY = /^([a-z0-9][a-z0-9_.-]*)\/([a-z0-9][a-z0-9_.-]*)$/;
const MAX_KEY_LENGTH = 200;
/** The kinds that the service writes. A bucket may also hold objects of other programs. */
const SERVICE_KINDS: ReadonlySet<string> = new Set([
  'incoming',
  'probes',
  'results',
  'sources',
  'thumbnails',
]);

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

/** Whether the service can have written an object of this name. */
export function isServiceObject(name: string): boolean {
  return SERVICE_KINDS.has(splitObjectKey(name)?.kind ?? '');
}
