import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OpenIdIdentity, OpenIdProvider } from '../../infra/openid/openid-provider.js';
import { ProviderRefused, ProviderUnavailable } from '../../infra/openid/provider-fault.js';
import { AppError } from '../../kernel/app-error.js';
import { isStorable } from '../../kernel/storable-text.js';
import { OidcAccounts } from './oidc-accounts.js';
import { OidcLinks } from './oidc-links.js';
import { faultOf, type OidcFault, type OidcOutcome, type OidcResult } from './oidc-outcome.js';
import { type OidcRequest, OidcRequestsRepository } from './oidc-requests.repository.js';
import { OidcSessions } from './oidc-sessions.js';
import { OPENID_PROVIDER } from './openid-provider.provider.js';
import { hashSecretToken } from '../../kernel/secret-token.js';

/** Where to send a browser, and the token for its cookie. */
export interface BegunSignIn {
  readonly url: string;
  readonly token: string;
}

/** Signs users in with the OpenID Connect provider. */
@Injectable()
export class OidcSignIn {
  private readonly logger = new Logger('accounts');

  constructor(
    @Inject(OPENID_PROVIDER) private readonly provider: OpenIdProvider | null,
    private readonly requests: OidcRequestsRepository,
    private readonly accounts: OidcAccounts,
    private readonly links: OidcLinks,
    private readonly sessions: OidcSessions,
  ) {}

  get isConfigured(): boolean {
    return this.provider !== null;
  }

  /**
   * @param nextPath of the page to show afterward
   * @param browser token of the cookie, if the browser has one
   * @param session token of the session that the browser has, if any
   */
  async begin(
    nextPath: string,
    browser: string | undefined,
    session: string | undefined,
  ): Promise<BegunSignIn | { readonly fault: OidcFault }> {
    const provider = this.configured();
    try {
      const { url, checks } = await provider.begin();
      const sessionHash = session === undefined ? null : hashSecretToken(session);
      const request = { ...checks, nextPath, sessionHash };
      return { url: url.href, token: await this.requests.store(request, browser) };
    } catch (error) {
      return { fault: this.providerFault(error) };
    }
  }

  /**
   * @param browser token of the cookie
   * @param query of the address that the provider sent the browser to
   * @param address of the client
   * @throws AppError `too_many_attempts`
   */
  async complete(browser: string | undefined, query: URLSearchParams, address: string): Promise<OidcOutcome> {
    const provider = this.configured();
    const state = query.get('state');
    const request =
      browser === undefined || state === null || !isStorable(state)
        ? undefined
        : await this.requests.take(browser, state);
    if (request === undefined) return { ...faultOf('sign_in_expired'), nextPath: '/', sessionHash: null };
    const result = await this.resultOf(provider, query, request, address);
    const { nextPath, sessionHash } = request;
    return { ...result, nextPath, sessionHash };
  }

  private async resultOf(
    provider: OpenIdProvider,
    query: URLSearchParams,
    request: OidcRequest,
    address: string,
  ): Promise<OidcResult> {
    let identity: OpenIdIdentity;
    try {
      identity = await provider.complete(query, request);
    } catch (error) {
      return faultOf(this.providerFault(error));
    }
    const found = await this.accounts.accountFor(identity, address);
    if (found.kind === 'fault') return found;
    const { kind, accountId } = found;
    if (kind === 'link') return { kind, token: await this.links.store(accountId, identity) };
    return this.sessions.start(accountId);
  }

  private configured(): OpenIdProvider {
    if (this.provider === null) throw new AppError('not_found');
    return this.provider;
  }

  /** @throws anything that is not an error of the provider */
  private providerFault(error: unknown): OidcFault {
    if (error instanceof ProviderUnavailable) {
      this.logger.warn({ error: error.message }, 'the OpenID provider does not respond');
      return 'provider_unavailable';
    }
    if (!(error instanceof ProviderRefused)) throw error;
    this.logger.warn({ error: error.message }, 'the OpenID provider refused a sign-in');
    return error.isDeclined ? 'provider_declined' : 'provider_refused';
  }
}
