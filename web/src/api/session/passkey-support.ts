/** Whether the browser has passkeys, and the page's address can have one: an IP address cannot. */
export function supportsPasskeys(): boolean {
  const { hostname } = window.location;
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
  return 'PublicKeyCredential' in window && !isAddress;
}
