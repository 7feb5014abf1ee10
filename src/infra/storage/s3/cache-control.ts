/** Kinds whose objects may be replaced under the same key. */
const REPLACED: ReadonlySet<string> = new Set(['thumbnails']);
const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;

/** The `Cache-Control` header of an object. Sources and results never change under their keys. */
export function cacheControlOf(kind: string): string {
  return REPLACED.has(kind)
    ? `private, max-age=${DAY_SECONDS}`
    : `public, max-age=${YEAR_SECONDS}, immutable`;
}
