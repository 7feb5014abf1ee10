import { createHash } from 'node:crypto';
import type { Manifest } from './manifest.js';

/**
 * Fingerprints of the committed model versions. The tests check them in full, so a worker need not at its first
 * start; whatever else lies in a repository is tried before it serves.
 */
const BUILT_IN: ReadonlySet<string> = new Set([
  // auto_enhance/1
  '13027168b269c41eaf126950e93a4d8c',
  // bg_remove/1
  'd2c9cd1f3d309cbdc5f5489c4c61dcc1',
  // smooth_skin/1
  'a523b46c72ce93d5270c2096e67b9b91',
  // upscale/1
  'd02b61d25027f9661ca3b0f7061cf801',
]);

/** Of a manifest, which holds the hashes of its files. */
export function fingerprint(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 32);
}

/** Whether this is a committed version, unchanged. */
export function isBuiltIn({ manifest }: { readonly manifest: Manifest }): boolean {
  return BUILT_IN.has(fingerprint(manifest));
}
