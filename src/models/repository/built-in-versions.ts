import { createHash } from 'node:crypto';
import type { Manifest } from '../manifest/manifest.js';

/**
 * Fingerprints of the committed model versions. The tests check these versions completely, so a worker need not try
 * them at its first start. All other versions are tried before they serve.
 */
const BUILT_IN: ReadonlySet<string> = new Set([
  // auto_enhance/1
  '0b61bfd53af5b0ecc21ae21965c3391c',
  // bg_remove/1
  '1db878f1f76ec9bd1365d34eb5913b4e',
  // smooth_skin/1
  'd8e371a3dc1b2cdd136b51d94443d2af',
  // upscale/1
  '50b0eba5ec445b4ff1feca3291ca10d8',
]);

/** The fingerprint of a manifest, which contains the hashes of its files. */
export function fingerprint(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 32);
}

/** Whether this is an unchanged committed version. */
export function isBuiltIn({ manifest }: { readonly manifest: Manifest }): boolean {
  return BUILT_IN.has(fingerprint(manifest));
}
