import type { IncomingHttpHeaders } from 'node:http';
import type { RelyingParty } from '../../infra/passkeys/web-authn.js';

/**
 * The address that passkeys are bound to: `PUBLIC_URL`, unless the page was opened at another address of the service. The
 * session guard has refused pages of other origins. A browser refuses passkeys of a host that is not its own, so a wrong
 * `Host` header gains nothing.
 */
export function relyingPartyOf({ origin, host }: IncomingHttpHeaders, publicUrl: string): RelyingParty {
  const configured = new URL(publicUrl);
  const page = origin !== undefined && URL.canParse(origin) ? new URL(origin) : configured;
  const { hostname, origin: own } = page.host === host ? page : configured;
  return { id: hostname, origin: own };
}
