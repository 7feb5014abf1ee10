/**
 * The token of a link in this tab: from the address, or stored while the user signed in on another page.
 * @param key of the session storage
 * @param hash of the address, with its `#`
 */
export function linkToken(key: string, hash: string): string | undefined {
  const given = hash.slice(1);
  if (given !== '') sessionStorage.setItem(key, given);
  return sessionStorage.getItem(key) ?? undefined;
}

export function forgetLinkToken(key: string): void {
  sessionStorage.removeItem(key);
}
