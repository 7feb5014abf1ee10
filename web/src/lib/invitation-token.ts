const KEY = 'invitation';

/**
 * The token of the invitation in this tab: from the link, or stored while the user signed in or up on another page.
 * @param hash of the address, with its `#`
 */
export function invitationToken(hash: string): string | undefined {
  const given = hash.slice(1);
  if (given !== '') sessionStorage.setItem(KEY, given);
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function forgetInvitationToken(): void {
  sessionStorage.removeItem(KEY);
}
