import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** 256 random bits, base64url: for a cookie or a link. Only its holder has it; the database stores its hash. */
export function newSecretToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether the text has the form of a token. */
export function isSecretToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** SHA-256: enough for a secret of 256 random bits. */
export function hashSecretToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
