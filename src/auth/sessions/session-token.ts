import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;

/** 256 random bits, base64url. The browser holds it in a cookie; the database only its hash. */
export function newSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

export function isSessionToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** SHA-256: enough for a secret of 256 random bits. */
export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * The CSRF token that a page sends with every change. It is derived from the session token, which no other site can
 * read, so nothing is stored and it ends with the session.
 */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

/** Compares in constant time. */
export function isCsrfTokenOf(token: string, given: string): boolean {
  const expected = Buffer.from(csrfTokenOf(token));
  const sent = Buffer.from(given);
  return expected.length === sent.length && timingSafeEqual(expected, sent);
}
