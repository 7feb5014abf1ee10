import { isAbsolute, join } from 'node:path';
import type { UpstreamModel } from './upstream-catalog.js';

/**
 * Where a file is available, best first: URLs or file paths. With a mirror, only the mirror is used, so that an
 * internal network sends no external requests.
 * @param mirror a folder or base URL with the same file names as upstream
 */
export function sourcesOf(
  { address, mirrors = [] }: UpstreamModel['file'],
  mirror: string | undefined,
): readonly string[] {
  if (mirror === undefined) return [address, ...mirrors];
  const name = decodeURIComponent(new URL(address).pathname.split('/').at(-1)!);
  if (isAddress(mirror)) return [`${mirror.replace(/\/+$/, '')}/${encodeURIComponent(name)}`];
  return [join(mirror, name)];
}

/** Whether a source is a URL, not a path. */
export function isAddress(source: string): boolean {
  return !isAbsolute(source) && /^https?:\/\//i.test(source);
}
