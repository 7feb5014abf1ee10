import { ImageEnhancementError } from '../errors.js';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from './checks.js';
import { sha256 } from './sha256.js';

const UPLOAD_SUFFIX = '-upload';

/**
 * The idempotency key of the upload that belongs to a call. It differs from the job's key, and is always the same for
 * the same call.
 * @throws ImageEnhancementError `invalid_idempotency_key` in pages without TLS, for a key so long that it must be
 *   hashed
 */
export async function uploadKeyOf(key: string): Promise<string> {
  const longest = MAX_IDEMPOTENCY_KEY_LENGTH - UPLOAD_SUFFIX.length;
  if (key.length <= longest) return `${key}${UPLOAD_SUFFIX}`;
  const digest = await sha256(new TextEncoder().encode(key));
  if (digest !== null) return `${digest}${UPLOAD_SUFFIX}`;
  throw new ImageEnhancementError(
    'invalid_idempotency_key',
    `On a page that did not come over https an idempotency key has ${longest} characters at most.`,
  );
}

/** A new key. `crypto.randomUUID` is missing in pages that were not loaded over TLS. */
export function newIdempotencyKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
