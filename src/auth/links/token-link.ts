import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** Pages that are opened by a link with a token. */
export type LinkPage =
  | '/reset-password'
  | '/verify-email'
  | '/change-email'
  | '/invitation'
  | '/operator/sign-in-as';

/** 256 random bits, base64url. Only the link contains them; the database stores their hash. */
export function newLinkToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** SHA-256: enough for a secret of 256 random bits. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The token is in the fragment, which browsers do not send, so it is in no log of a server or proxy. */
export function tokenLink(publicUrl: string, page: LinkPage, token: string): string {
  return `${publicUrl}${page}#${token}`;
}
