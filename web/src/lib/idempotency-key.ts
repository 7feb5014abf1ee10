const BYTES = 16;

/** A key nobody else has. Not `randomUUID`, which browsers keep from pages that are served without TLS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
