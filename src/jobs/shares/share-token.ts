import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** 256 random bits, base64url. They are part of the link; the database has only their hash. */
export function newShareToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

export function isShareToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** SHA-256: enough for a secret of 256 random bits. */
export function hashShareToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
