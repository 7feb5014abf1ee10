/** Why a sign-in with the provider leads to no session; the sign-in page has a text for each. */
export const OIDC_FAULTS = [
  'provider_unavailable',
  'provider_declined',
  'provider_refused',
  'sign_in_expired',
  'email_not_verified',
  'email_not_allowed',
  'account_suspended',
  'sign_up_closed',
  'too_many_attempts',
  'service_unavailable',
] as const;
export type OidcFault = (typeof OIDC_FAULTS)[number];

/** What a sign-in with the provider leads to. */
export type OidcResult =
  /** `second-factor`: a sign-in that waits for a code. `link`: an identity that waits for the owner of the account. */
  | { readonly kind: 'session' | 'second-factor' | 'link'; readonly token: string }
  | { readonly kind: 'fault'; readonly fault: OidcFault };

export type OidcOutcome = OidcResult & {
  /** The page to show afterward. */
  readonly nextPath: string;
  /** Of the session that the browser had before, if any. */
  readonly sessionHash: Buffer | null;
};

export const faultOf = (fault: OidcFault): { readonly kind: 'fault'; readonly fault: OidcFault } => ({
  kind: 'fault',
  fault,
});
