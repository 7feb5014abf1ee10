import { isAbsolute, join } from 'node:path';
import { ModelsError } from '../models-command.js';
import type { UpstreamModel } from './upstream-catalog.js';

/**
 * Where a file is available, best first: URLs or file paths. With a mirror, only the mirror is used, so that an
 * internal network sends no external requests.
 * @param mirror a folder or base URL with the same file names as upstream
 * @throws ModelsError when it is neither, such as a relative path
 */
export function sourcesOf(
  { address, mirrors = [] }: UpstreamModel['file'],
  mirror: string | undefined,
): readonly string[] {
  if (mirror === undefined) return [address, ...mirrors];
  const name = decodeURIComponent(new URL(address).pathname.split('/').at(-1)!);
  if (isAddress(mirror)) return [`${mirror.replace(/\/+$/, '')}/${encodeURIComponent(name)}`];
  if (isAbsolute(mirror)) return [join(mirror, name)];
  throw new ModelsError(
    `MODELS_MIRROR must be the absolute path of a folder, or an http(s) address, not "${mirror}".`,
  );
}

/** Whether a source is a URL, not a path. */
export function isAddress(source: string): boolean {
  return !isAbsolute(source) && /^https?:\/\//i.test(source);
}
