import type { Config } from '../../config/env.js';
import type { OpenIdIdentity } from '../../infra/openid/openid-provider.js';
import { isEmail } from '../../kernel/email.js';
import { faultOf, type OidcFault } from './oidc-outcome.js';

type Rules = Pick<Config, 'oidcEmailDomains' | 'oidcTrustEmail'>;

/** The address of a user, if the provider has verified it. */
export function verifiedEmail(
  { email, isEmailVerified }: OpenIdIdentity,
  { oidcTrustEmail }: Rules,
): string | undefined {
  const isVerified = isEmailVerified || oidcTrustEmail;
  return isVerified && email !== undefined && isEmail(email) ? email : undefined;
}

/** Why the provider's user may not sign in. Applies to every sign-in, so that a domain can be removed later. */
export function domainFault(
  identity: OpenIdIdentity,
  rules: Rules,
): { readonly kind: 'fault'; readonly fault: OidcFault } | undefined {
  if (rules.oidcEmailDomains.length === 0) return undefined;
  const domain = verifiedEmail(identity, rules)?.split('@')[1]?.toLowerCase();
  if (domain === undefined) return faultOf('email_not_verified');
  return rules.oidcEmailDomains.includes(domain) ? undefined : faultOf('email_not_allowed');
}
