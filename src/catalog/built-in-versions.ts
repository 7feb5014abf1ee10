import { createHash } from 'node:crypto';
import type { Manifest } from './manifest.js';

/**
 * Fingerprints of the committed model versions. The tests check them in full, so a worker need not at its first
 * start; whatever else lies in a repository is tried before it serves.
 */
const BUILT_IN: ReadonlySet<string> = new Set([
  // auto_enhance/1
  '9d6b52db2ede474d53886f918cf43b87',
  // bg_remove/1
  'dfb08be30c76d5bd8cacdddc9ff1201f',
  // smooth_skin/1
  'a0ebfb157b1d70bfdb4551f48044b077',
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
