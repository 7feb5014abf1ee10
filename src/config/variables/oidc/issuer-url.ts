import type { Descriptor } from '../descriptor.js';

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const FORMAT = 'address beginning with `https://`; with `http://` only for this machine';

/**
 * The issuer of an OpenID provider. The URL is kept exactly as given, including a trailing slash, because the
 * provider's tokens contain exactly this text.
 */
export function issuerUrl(
  name: string,
  options: { readonly text: string; readonly defaultText: string },
): Descriptor<string | undefined> {
  return {
    ...options,
    name,
    format: FORMAT,
    read: (raw) => {
      const issuer = raw?.trim() ?? '';
      if (issuer === '') return undefined;
      if (!URL.canParse(issuer) || !isTrusted(new URL(issuer)))
        throw new Error(`must be an ${FORMAT.replaceAll('`', '')}`);
      return issuer;
    },
  };
}

/** Anyone who can impersonate the provider can sign in as any user, so the connection must be encrypted. */
function isTrusted({ protocol, hostname, search, hash, username }: URL): boolean {
  if (search !== '' || hash !== '' || username !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOCAL_HOSTS.has(hostname));
}
