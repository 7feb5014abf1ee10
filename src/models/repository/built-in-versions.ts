import { createHash } from 'node:crypto';
import type { Manifest } from '../manifest/manifest.js';

/**
 * Fingerprints of the committed model versions. The tests check these versions completely, so a worker need not try
 * them at its first start. All other versions are tried before they serve.
 */
const BUILT_IN: ReadonlySet<string> = new Set([
  // auto_enhance/1
  'f3cae0681cc25d4a52b67f7987d0a7fb',
  // bg_remove/1
  '0130de7c0a1c9f9f3b059cc7936a2d6c',
  // smooth_skin/1
  'dd7bfefa5939c158acb06ef10a1dbbf6',
  // upscale/1
  '6d9379f87fcef1dd4ea2034fc89d8dfa',
]);

/** The fingerprint of a manifest, which contains the hashes of its files. */
export function fingerprint(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 32);
}

/** Whether this is an unchanged committed version. */
export function isBuiltIn({ manifest }: { readonly manifest: Manifest }): boolean {
  return BUILT_IN.has(fingerprint(manifest));
}
