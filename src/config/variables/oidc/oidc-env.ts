import { type Descriptor, flag, oneOf, secret, text } from '../descriptor.js';
import { emailDomains } from './email-domains.js';
import { issuerUrl } from './issuer-url.js';

const SIGN_UP = oneOf('OIDC_SIGNUP', {
  values: ['open', 'closed'],
  default: 'closed',
  text: 'Whether users of the provider who have no account get one when they sign in with it.',
});

/** Sign-in with an OpenID Connect provider. */
export const OIDC_DESCRIPTORS = {
  oidcIssuer: issuerUrl('OIDC_ISSUER', {
    defaultText: 'no provider',
    text: 'Issuer URL of an OpenID Connect provider that users can sign in with, exactly as the provider writes it. Needs `OIDC_CLIENT_ID`. See docs/openid-connect.md.',
  }),
  oidcClientId: text('OIDC_CLIENT_ID', {
    default: undefined,
    defaultText: 'no provider',
    text: 'Client ID of the service at the OpenID Connect provider.',
  }),
  oidcClientSecret: secret(
    text('OIDC_CLIENT_SECRET', {
      default: undefined,
      defaultText: 'a public client, with PKCE alone',
      text: 'Client secret of the service at the OpenID Connect provider. Only the api uses it.',
    }),
  ),
  oidcName: text('OIDC_NAME', {
    default: undefined,
    defaultText: 'the host of `OIDC_ISSUER`',
    text: 'Name of the provider on the button of the sign-in page.',
  }),
  oidcSignUp: {
    ...SIGN_UP,
    defaultText: 'the value of `SIGNUP`',
    read: (raw) => (raw === undefined || raw.trim() === '' ? undefined : SIGN_UP.read(raw)),
  } satisfies Descriptor<'open' | 'closed' | undefined>,
  oidcEmailDomains: emailDomains('OIDC_EMAIL_DOMAINS', {
    text: 'Only users whose email address at the provider is in one of these domains can sign in with it. Subdomains are not included.',
  }),
  oidcTrustEmail: flag('OIDC_TRUST_EMAIL', {
    default: false,
    text: 'Treat every address that the provider reports as verified. For a provider that does not report `email_verified`, such as Entra ID, and whose users cannot choose their address.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
