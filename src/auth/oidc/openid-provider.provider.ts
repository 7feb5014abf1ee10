import type { FactoryProvider } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { OpenIdProvider } from '../../infra/openid/openid-provider.js';

/** The path of the route that the provider sends browsers back to. */
const CALLBACK_PATH = '/dashboard/api/sign-in/oidc/callback';

/** The `OpenIdProvider` of the configuration, or null. */
export const OPENID_PROVIDER = Symbol('OPENID_PROVIDER');

export const openIdProvider: FactoryProvider<OpenIdProvider | null> = {
  provide: OPENID_PROVIDER,
  inject: [CONFIG],
  useFactory: ({ oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret, publicUrl }: Config) =>
    issuer === undefined || clientId === undefined
      ? null
      : new OpenIdProvider({
          issuer,
          clientId,
          clientSecret: oidcClientSecret,
          redirectUri: `${publicUrl}${CALLBACK_PATH}`,
        }),
};
