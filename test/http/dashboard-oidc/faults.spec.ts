import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import type { TestOpenIdProvider } from '../../support/network/openid-provider.js';
import { newProviderUser, OidcBrowser } from '../../support/sign-in/oidc-browser.js';
import { startOidcHarness } from '../../support/sign-in/oidc-harness.js';

const CALLBACK = `${PUBLIC_URL}/dashboard/api/sign-in/oidc/callback`;
const REFUSED = '/sign-in?fault=provider_refused&next=%2Fkeys';
const EXPIRED = '/sign-in?fault=sign_in_expired';

let provider: TestOpenIdProvider;
let harness: Harness;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ provider, harness, close } = await startOidcHarness());
});
afterAll(() => close?.());
beforeEach(() => provider.reset());

/** A browser that has signed in at the provider, and the address that the provider sends it to. */
async function returning(): Promise<{ browser: OidcBrowser; address: string }> {
  const browser = new OidcBrowser(harness);
  const login = newProviderUser(provider);
  return { browser, address: await browser.signInAtProvider(await browser.begin(), login) };
}

const withQuery = (address: string, name: string, value: string): string => {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
};

describe('a sign-in with the provider is refused', () => {
  it('in a browser that did not start it, without using it up', async () => {
    const { browser, address } = await returning();
    const stranger = new OidcBrowser(harness);
    expect(await stranger.comeBack(address)).toBe(EXPIRED);
    await stranger.begin();
    expect(await stranger.comeBack(address)).toBe(EXPIRED);
    expect(await stranger.account()).toBeNull();
    expect(await browser.comeBack(address)).toBe('/keys');
  });

  it('with a wrong state, or without one', async () => {
    const { browser, address } = await returning();
    expect(await browser.comeBack(withQuery(address, 'state', 'x'.repeat(43)))).toBe(EXPIRED);
    expect(await browser.comeBack(`${CALLBACK}?code=x`)).toBe(EXPIRED);
    expect(await browser.account()).toBeNull();
  });

  it('with a state that PostgreSQL cannot store', async () => {
    const { browser } = await returning();
    expect(await browser.comeBack(`${CALLBACK}?code=x&state=%00`)).toBe(EXPIRED);
  });

  it('but not because of a question mark in the query', async () => {
    const { browser, address } = await returning();
    expect(await browser.comeBack(address.replace('?', '?session_state=a?b&'))).toBe('/keys');
  });

  it('when it is completed a second time', async () => {
    const { browser, address } = await returning();
    expect(await browser.comeBack(address)).toBe('/keys');
    expect(await browser.comeBack(address)).toBe(EXPIRED);
  });

  it('with a code that was used in another sign-in', async () => {
    const { browser, address } = await returning();
    const code = new URL(address).searchParams.get('code')!;
    expect(await browser.comeBack(address)).toBe('/keys');
    const second = await returning();
    expect(await second.browser.comeBack(withQuery(second.address, 'code', code))).toBe(REFUSED);
    expect(await second.browser.account()).toBeNull();
  });

  it('after 15 minutes', async () => {
    const { browser, address } = await returning();
    await harness.rows(`UPDATE oidc_requests SET expires_at = now() - interval '1 second'`);
    expect(await browser.comeBack(address)).toBe(EXPIRED);
  });

  it('when the user cancels at the provider', async () => {
    const browser = new OidcBrowser(harness);
    const state = new URL(await browser.begin()).searchParams.get('state')!;
    const query = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
    expect(await browser.comeBack(`${CALLBACK}?${query}`)).toBe(
      '/sign-in?fault=provider_declined&next=%2Fkeys',
    );
    expect(await browser.account()).toBeNull();
  });

  it.each([
    ['for another client', (claims: object) => ({ ...claims, aud: 'another-client' })],
    ['of another issuer', (claims: object) => ({ ...claims, iss: 'https://id.example' })],
    ['with another nonce', (claims: object) => ({ ...claims, nonce: 'x'.repeat(43) })],
    ['that has expired', (claims: object) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 3_600 })],
  ])('with an ID token %s', async (_, changeClaims) => {
    const { browser, address } = await returning();
    provider.changeClaims = changeClaims;
    expect(await browser.comeBack(address)).toBe(REFUSED);
    expect(await browser.account()).toBeNull();
  });

  it('with an ID token that is signed with another key', async () => {
    const { browser, address } = await returning();
    provider.signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    expect(await browser.comeBack(address)).toBe(REFUSED);
    expect(await browser.account()).toBeNull();
  });

  it('without a verified email address', async () => {
    const unverified = newProviderUser(provider, 'unverified@example.org', false);
    const without = newProviderUser(provider);
    provider.users.set(without, { isVerified: false });
    for (const login of [unverified, without])
      expect(await new OidcBrowser(harness).signIn(login)).toBe(
        '/sign-in?fault=email_not_verified&next=%2Fkeys',
      );
    expect(await harness.rows(`SELECT 1 FROM accounts WHERE email = 'unverified@example.org'`)).toEqual([]);
  });

  it('while the account is suspended', async () => {
    const login = newProviderUser(provider);
    const browser = new OidcBrowser(harness);
    await browser.signIn(login);
    const { id } = (await browser.account())!;
    await harness.rows(
      `UPDATE accounts SET suspended_at = now(), suspended_reason = 'unpaid' WHERE id = $1`,
      [id],
    );
    const again = new OidcBrowser(harness);
    expect(await again.signIn(login)).toBe('/sign-in?fault=account_suspended&next=%2Fkeys');
    expect(await again.account()).toBeNull();
  });
});

describe('a provider that is down', () => {
  it('is reported when the browser comes back, and works once it is up again', async () => {
    const { browser, address } = await returning();
    provider.mode = 'down';
    expect(await browser.comeBack(address)).toBe('/sign-in?fault=provider_unavailable&next=%2Fkeys');
    provider.mode = 'up';
    expect(await browser.signIn(newProviderUser(provider))).toBe('/keys');
  });

  it('times out when it does not respond', { timeout: 60_000 }, async () => {
    const { browser, address } = await returning();
    provider.mode = 'silent';
    expect(await browser.comeBack(address)).toBe('/sign-in?fault=provider_unavailable&next=%2Fkeys');
  });
});
