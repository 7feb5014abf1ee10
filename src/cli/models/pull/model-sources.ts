import { isAbsolute, join } from 'node:path';
import type { UpstreamModel } from './upstream-catalogue.js';

/**
 * Where a file may be had, best first: addresses, or paths of files. With a mirror only the mirror, so that an internal
 * network sends no request outside.
 * @param mirror a folder or an address below which files have the names that they have upstream
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

/** Whether a source is an address and no path. */
export function isAddress(source: string): boolean {
  return !isAbsolute(source) && /^https?:\/\//i.test(source);
}
