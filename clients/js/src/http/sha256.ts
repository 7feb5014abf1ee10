import { toHex } from '../webhooks/hmac.js';

/** SHA-256 in hex; null in pages that were not loaded over TLS, where `crypto.subtle` is missing. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return null;
  return toHex(new Uint8Array(await subtle.digest('SHA-256', bytes)));
}
