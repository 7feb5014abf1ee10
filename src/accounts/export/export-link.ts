import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CsrfScope } from '../../auth/sessions/csrf-token.js';

/** How long a link works: the browser opens it at once. */
const LINK_SECONDS = 300;

const PATH = '/dashboard/api/account/export';

/**
 * A link that downloads the data of the session's account. Like the CSRF token, it is derived from the session token:
 * nothing is stored, it works in this session only, and it ends with it.
 */
export function exportLink(scope: CsrfScope, nowMs: number): string {
  const expires = Math.floor(nowMs / 1_000) + LINK_SECONDS;
  return `${PATH}?expires=${expires}&signature=${signatureOf(scope, expires)}`;
}

export interface ExportLinkParts {
  /** Unix time, seconds. */
  readonly expires: number;
  readonly signature: string;
}

export function isExportLink(
  scope: CsrfScope,
  { expires, signature }: ExportLinkParts,
  nowMs: number,
): boolean {
  const expected = Buffer.from(signatureOf(scope, expires));
  const given = Buffer.from(signature);
  const isSigned = expected.length === given.length && timingSafeEqual(expected, given);
  return isSigned && expires * 1_000 > nowMs;
}

function signatureOf({ token, account }: CsrfScope, expires: number): string {
  return createHmac('sha256', token).update(`export:${account.id}:${expires}`).digest('base64url');
}
