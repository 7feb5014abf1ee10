import { createHash } from 'node:crypto';
import type { Manifest } from './manifest.js';

/**
 * Fingerprints of the committed model versions. The tests check them in full, so a worker need not at its first
 * start; whatever else lies in a repository is tried before it serves.
 */
const BUILT_IN: ReadonlySet<string> = new Set([
  // auto_enhance/1
  'bb150f34c9cdf549b19138d719b85360',
  // bg_remove/1
  '2c8ae3465cb140e9e34f17ce337c309f',
  // smooth_skin/1
  'd63640ffca02e16066779e5ac5524302',
  // upscale/1
  '9e9f1fc997003caa25bde06ca8de4a77',
]);

/** Of a manifest, which holds the hashes of its files. */
export function fingerprint(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 32);
}

/** Whether this is a committed version, unchanged. */
export function isBuiltIn({ manifest }: { readonly manifest: Manifest }): boolean {
  return BUILT_IN.has(fingerprint(manifest));
}
