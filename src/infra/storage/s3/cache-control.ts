/** Kinds whose objects may be written again under the same key. */
const REPLACED: ReadonlySet<string> = new Set(['thumbnails']);
const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;

/** What the store tells caches about an object: sources and results never change under their keys. */
export function cacheControlOf(kind: string): string {
  return REPLACED.has(kind)
    ? `private, max-age=${DAY_SECONDS}`
    : `public, max-age=${YEAR_SECONDS}, immutable`;
}
