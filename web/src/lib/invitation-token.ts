import { forgetLinkToken, linkToken } from './link-token.js';

const KEY = 'invitation';

/** The token of the invitation in this tab; see `linkToken`. */
export function invitationToken(hash: string): string | undefined {
  return linkToken(KEY, hash);
}

export function forgetInvitationToken(): void {
  forgetLinkToken(KEY);
}
