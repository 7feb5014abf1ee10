import { t } from '@lingui/core/macro';

/** Whether the browser has passkeys, and the page's address can have one: an IP address cannot. */
export function supportsPasskeys(): boolean {
  const { hostname } = window.location;
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
  return 'PublicKeyCredential' in window && !isAddress;
}

/** A fault of the browser or the device in words; other errors stay as they are. */
export function passkeyFault(error: Error | null): Error | null {
  if (error === null) return null;
  const names = new Set([error.name, error.cause instanceof Error ? error.cause.name : '']);
  if (names.has('InvalidStateError'))
    return new Error(t`This device already has a passkey for your account.`);
  if (names.has('NotAllowedError'))
    return new Error(t`The passkey was not used: the request was canceled, or took too long.`);
  if (names.has('SecurityError'))
    return new Error(t`Passkeys need the address of the service with HTTPS, or localhost.`);
  return error;
}
