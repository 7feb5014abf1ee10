import { createHash } from 'node:crypto';
import type { Manifest } from '../manifest/manifest.js';

/**
 * Fingerprints of the committed model versions. The tests check them in full, so a worker need not at its first
 * start; whatever else lies in a repository is tried before it serves.
 */
const BUILT_IN: ReadonlySet<string> = new Set([
  // auto_enhance/1
  'e8ceb2dfa23743319b1957096f4d25f3',
  // bg_remove/1
  '8e65fb7171d3e39c9363525504515d71',
  // smooth_skin/1
  'ea0b4e804d0eb053486d35cb0675f032',
  // upscale/1
  'ff9af93274b2098aa9df8275e571a843',
]);

/** Of a manifest, which holds the hashes of its files. */
export function fingerprint(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 32);
}

/** Whether this is a committed version, unchanged. */
export function isBuiltIn({ manifest }: { readonly manifest: Manifest }): boolean {
  return BUILT_IN.has(fingerprint(manifest));
}
