/** Whether the browser supports passkeys, and the page's host allows them: an IP address does not. */
export function supportsPasskeys(): boolean {
  const { hostname } = window.location;
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
  return 'PublicKeyCredential' in window && !isAddress;
}
