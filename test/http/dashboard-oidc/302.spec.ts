import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import type { TestOpenIdProvider } from '../../support/network/openid-provider.js';
import { newProviderUser, OidcBrowser } from '../../support/sign-in/oidc-browser.js';
import { startOidcHarness } from '../../support/sign-in/oidc-harness.js';

let provider: TestOpenIdProvider;
let harness: Harness;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ provider, harness, close } = await startOidcHarness());
});
afterAll(() => close?.());
beforeEach(() => provider.reset());

const details = async (accountId: string, action: string): Promise<unknown[]> =>
  (
    await harness.rows<{ details: unknown }>(
      'SELECT details FROM audit_events WHERE account_id = $1 AND action = $2 ORDER BY id',
      [accountId, action],
    )
  ).map((row) => row.details);

describe('a sign-in with the provider', () => {
  it('is offered under the name of the provider', async () => {
    const { body } = await new OidcBrowser(harness).dashboard.call('GET', '/session');
    expect(body).toMatchObject({ oidcName: 'Example ID' });
  });

  it('creates an account with a verified address, and later finds it by the subject', async () => {
    const login = newProviderUser(provider, 'first@example.org');
    const browser = new OidcBrowser(harness);
    expect(await browser.signIn(login)).toBe('/keys');
    const account = (await browser.account())!;
    expect(account.email).toBe('first@example.org');
    const { body } = await browser.dashboard.call('GET', '/session');
    expect(body).toMatchObject({ user: { isEmailVerified: true, hasPassword: false } });
    expect(await details(account.id, 'account.created')).toEqual([{ method: 'oidc' }]);
    // The address at the provider may change.
    provider.users.set(login, { email: 'renamed@example.org', isVerified: false });
    const again = new OidcBrowser(harness);
    expect(await again.signIn(login)).toBe('/keys');
    expect((await again.account())!.id).toBe(account.id);
    expect(await details(account.id, 'sign_in.succeeded')).toEqual([{ method: 'oidc' }, { method: 'oidc' }]);
  });

  it('uses PKCE, state, and nonce, and does not redirect to another site', async () => {
    const browser = new OidcBrowser(harness);
    const url = new URL(await browser.begin('//evil.example'));
    expect(url.origin).toBe(provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
      redirect_uri: `${PUBLIC_URL}/dashboard/api/sign-in/oidc/callback`,
    });
    expect(await browser.comeBack(await browser.signInAtProvider(url.href, newProviderUser(provider)))).toBe(
      '/',
    );
  });

  it('works in two tabs of one browser at once', async () => {
    const [first, second] = [new OidcBrowser(harness), new OidcBrowser(harness)];
    const login = newProviderUser(provider);
    const one = await first.signInAtProvider(await first.begin('/keys'), login);
    second.dashboard.oidc = first.dashboard.oidc;
    const other = await second.signInAtProvider(await second.begin('/usage'), login);
    expect(await first.comeBack(one)).toBe('/keys');
    expect(await second.comeBack(other)).toBe('/usage');
  });

  it('also reads the address from the ID token, whatever the type of the verified claim', async () => {
    const login = newProviderUser(provider);
    provider.users.set(login, { isVerified: false });
    provider.changeClaims = (claims) => ({ ...claims, email: 'token@example.org', email_verified: 'true' });
    const browser = new OidcBrowser(harness);
    expect(await browser.signIn(login)).toBe('/keys');
    expect((await browser.account())!.email).toBe('token@example.org');
  });

  it('creates one account for ten concurrent sign-ins', async () => {
    const login = newProviderUser(provider, 'ten-at-once@example.org');
    const browsers = Array.from({ length: 10 }, () => new OidcBrowser(harness));
    const paths = await Promise.all(browsers.map((browser) => browser.signIn(login)));
    expect(paths).toEqual(browsers.map(() => '/keys'));
    const ids = await Promise.all(browsers.map(async (browser) => (await browser.account())!.id));
    expect(new Set(ids).size).toBe(1);
    expect(await details(ids[0]!, 'account.created')).toHaveLength(1);
  });

  it('ends with a sign-out, after which the provider is asked again', async () => {
    const login = newProviderUser(provider);
    const browser = new OidcBrowser(harness);
    await browser.signIn(login);
    const { id } = (await browser.account())!;
    expect((await browser.dashboard.call('POST', '/sign-out')).status).toBe(204);
    expect(await browser.account()).toBeNull();
    expect(await browser.signIn(login)).toBe('/keys');
    expect((await browser.account())!.id).toBe(id);
  });
});
