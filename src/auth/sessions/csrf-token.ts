import { createHmac, timingSafeEqual } from 'node:crypto';

/** The parts that a CSRF token is derived from. */
export interface CsrfScope {
  readonly token: string;
  readonly user: { readonly id: string };
  readonly account: { readonly id: string };
}

/**
 * The CSRF token that a page sends with every change. It is derived from the session token, which no other site can
 * read, so nothing is stored and it ends with the session. It depends on the organization, so requests from a page
 * that was opened in another one are refused.
 */
export function csrfTokenOf({ token, user, account }: CsrfScope): string {
  // The user's own account keeps the purpose of the previous version, which has no other organizations.
  const purpose = account.id === user.id ? 'csrf' : `csrf:${account.id}`;
  return createHmac('sha256', token).update(purpose).digest('base64url');
}

/** Compares in constant time. */
export function isCsrfTokenOf(scope: CsrfScope, given: string): boolean {
  const expected = Buffer.from(csrfTokenOf(scope));
  const sent = Buffer.from(given);
  return expected.length === sent.length && timingSafeEqual(expected, sent);
}
