import { setTimeout as pause } from 'node:timers/promises';
import type { ClientAuth, Configuration, IDToken, UserInfoResponse } from 'openid-client';
import {
  describeFault,
  isOutage,
  wasDeclined,
  ProviderRefused,
  ProviderUnavailable,
} from './provider-fault.js';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client, which uses only PKCE. */
  readonly clientSecret: string | undefined;
  /** The redirect URI registered with the provider. */
  readonly redirectUri: string;
}

/** The values that must match when the browser returns. */
export interface AuthorizationChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A user at the provider. */
export interface OpenIdIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** Whether the provider has verified that the address belongs to the user. */
  readonly isEmailVerified: boolean;
}

/** Timeout of one request to the provider. */
const TIMEOUT_SECONDS = 5;
/** Discovery is retried, because a provider that restarts refuses connections for a moment. */
const DISCOVERY_ATTEMPTS = 2;
const DISCOVERY_PAUSE_MS = 500;
/** How long the provider's metadata is cached before it is read again. */
const METADATA_MS = 3_600_000;
const SCOPE = 'openid email profile';

/** Loaded on first use, because most installations have no provider. */
const library = () => import('openid-client');
type Library = Awaited<ReturnType<typeof library>>;

/** An OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
export class OpenIdProvider {
  private known: { readonly configuration: Configuration; readonly readAt: number } | undefined;
  private reading: Promise<Configuration> | undefined;

  constructor(private readonly settings: OpenIdSettings) {}

  /**
   * Prepares a sign-in.
   * @returns where to send the browser
   * @throws ProviderUnavailable
   */
  async begin(): Promise<{ readonly url: URL; readonly checks: AuthorizationChecks }> {
    const client = await library();
    const configuration = await this.configuration(client);
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.settings.redirectUri,
      scope: SCOPE,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, checks };
  }

  /**
   * Exchanges the code for the identity of the user.
   * @param query the query of the URL to which the provider redirected the browser
   * @throws ProviderUnavailable, ProviderRefused
   */
  async complete(query: URLSearchParams, checks: AuthorizationChecks): Promise<OpenIdIdentity> {
    const client = await library();
    const configuration = await this.configuration(client);
    const url = new URL(this.settings.redirectUri);
    url.search = query.toString();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      const isComplete = claims['email'] !== undefined && claims['email_verified'] !== undefined;
      // Many providers include the email address only in the user info.
      const hasMore = !isComplete && configuration.serverMetadata().userinfo_endpoint !== undefined;
      return hasMore
        ? identityOf(claims, await client.fetchUserInfo(configuration, tokens.access_token, claims.sub))
        : identityOf(claims);
    } catch (error) {
      const text = describeFault(error);
      throw isOutage(error)
        ? new ProviderUnavailable(text, { cause: error })
        : new ProviderRefused(text, wasDeclined(error), { cause: error });
    }
  }

  /** Falls back to outdated metadata when reading it fails. @throws ProviderUnavailable */
  private async configuration(client: Library): Promise<Configuration> {
    const { known } = this;
    if (known !== undefined && Date.now() - known.readAt < METADATA_MS) return known.configuration;
    this.reading ??= this.read(client).finally(() => {
      this.reading = undefined;
    });
    try {
      return await this.reading;
    } catch (error) {
      if (known !== undefined) return known.configuration;
      throw new ProviderUnavailable(describeFault(error), { cause: error });
    }
  }

  private async read(client: Library): Promise<Configuration> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const configuration = await this.discover(client);
        this.known = { configuration, readAt: Date.now() };
        return configuration;
      } catch (error) {
        if (attempt === DISCOVERY_ATTEMPTS || !isOutage(error)) throw error;
        await pause(DISCOVERY_PAUSE_MS);
      }
    }
  }

  private discover(client: Library): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    const execute = [client.enableNonRepudiationChecks];
    // The configuration allows http: only for this machine.
    if (url.protocol === 'http:') execute.push(client.allowInsecureRequests);
    const options = { execute, timeout: TIMEOUT_SECONDS };
    return client.discovery(url, clientId, undefined, authentication(client, clientSecret), options);
  }
}

/** An address and its verification count only together: the other response may name another address. */
function identityOf(claims: IDToken, more?: UserInfoResponse): OpenIdIdentity {
  const named = [claims, more].map(addressIn).filter(({ email }) => email !== undefined);
  const address = named.find(({ isEmailVerified }) => isEmailVerified) ?? named[0];
  return { email: undefined, isEmailVerified: false, ...address, issuer: claims.iss, subject: claims.sub };
}

function addressIn(
  response: Readonly<Record<string, unknown>> | undefined,
): Pick<OpenIdIdentity, 'email' | 'isEmailVerified'> {
  const { email, email_verified: isVerified } = response ?? {};
  return {
    email: typeof email === 'string' ? email : undefined,
    // Some providers send a string instead of a boolean.
    isEmailVerified: isVerified === true || isVerified === 'true',
  };
}

/** Sends the client secret as OpenID Connect does by default, or in the body if the provider supports only that. */
function authentication(client: Library, secret: string | undefined): ClientAuth {
  if (secret === undefined) return client.None();
  const [inHeader, inBody] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const isInBody = methods !== undefined && !methods.includes('client_secret_basic');
    (isInBody ? inBody : inHeader)(server, ...rest);
  };
}
