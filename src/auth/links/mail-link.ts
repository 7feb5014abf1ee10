import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** Pages that links in mails lead to. */
export type LinkPage = '/reset-password' | '/verify-email';

/** A token of 256 random bits, base64url. */
export function newLinkToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** SHA-256: enough for a secret of 256 random bits. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The token is in the fragment, which browsers send to nobody. */
export function mailLinkOf(publicUrl: string, page: LinkPage, token: string): string {
  return `${publicUrl}${page}#${token}`;
}
