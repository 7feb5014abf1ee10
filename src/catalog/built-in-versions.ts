import { createHash } from 'node:crypto';
import type { Manifest } from './manifest.js';

/**
 * Fingerprints of the committed model versions. The tests check them in full, so a worker need not at its first
 * start; whatever else lies in a repository is tried before it serves.
 */
const BUILT_IN: ReadonlySet<string> = new Set([
  // auto_enhance/1
  '23d0160f9523758cf7a46d58879c1b7b',
  // bg_remove/1
  'dfb08be30c76d5bd8cacdddc9ff1201f',
  // smooth_skin/1
  'b97a1e55ed94a2ffca0e45e84cb3bdbf',
  // upscale/1
  '2c505a6c3397ddc83c750d8cf80f6817',
]);

/** Of a manifest, which holds the hashes of its files. */
export function fingerprint(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 32);
}

/** Whether this is a committed version, unchanged. */
export function isBuiltIn({ manifest }: { readonly manifest: Manifest }): boolean {
  return BUILT_IN.has(fingerprint(manifest));
}
