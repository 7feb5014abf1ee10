const KEY = 'invitation';

/**
 * The token of the invitation that this tab was opened with: from the link, or stored while the user signed in or up on
 * another page.
 */
export function invitationToken(): string | undefined {
  const given = window.location.hash.slice(1);
  if (given !== '') sessionStorage.setItem(KEY, given);
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function forgetInvitationToken(): void {
  sessionStorage.removeItem(KEY);
}
