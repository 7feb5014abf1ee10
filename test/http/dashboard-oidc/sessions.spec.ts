import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import type { TestOpenIdProvider } from '../../support/network/openid-provider.js';
import { newProviderUser, OidcBrowser } from '../../support/sign-in/oidc-browser.js';
import { startOidcHarness } from '../../support/sign-in/oidc-harness.js';
import { twoFactorUser } from '../../support/sign-in/two-factor-user.js';

let provider: TestOpenIdProvider;
let harness: Harness;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ provider, harness, close } = await startOidcHarness());
});
afterAll(() => close?.());
beforeEach(() => provider.reset());

const sessionsOf = (accountId: string): Promise<unknown[]> =>
  harness.rows('SELECT 1 FROM sessions WHERE account_id = $1', [accountId]);

/** A browser with a session that returns from the provider. */
async function comingBack(login: string) {
  const browser = new OidcBrowser(harness);
  const before = await browser.dashboard.signInto(await harness.createAccount());
  const address = await browser.signInAtProvider(await browser.begin(), login);
  // The cookie is SameSite=Strict: a browser does not send it on the way back from another site.
  browser.dashboard.cookie = undefined;
  return { browser, before, address };
}

describe('the previous session of the browser', () => {
  it('ends with the sign-in', async () => {
    const { browser, before, address } = await comingBack(newProviderUser(provider));
    expect(await sessionsOf(before.id)).toHaveLength(1);
    expect(await browser.comeBack(address)).toBe('/keys');
    expect(await sessionsOf(before.id)).toEqual([]);
    expect((await browser.account())!.id).not.toBe(before.id);
  });

  it('ends before the second factor is asked for', async () => {
    const user = await twoFactorUser(harness);
    const login = newProviderUser(provider, user.email);
    await harness.rows('INSERT INTO oidc_identities (issuer, subject, account_id) VALUES ($1, $2, $3)', [
      provider.issuer,
      login,
      user.id,
    ]);
    const { browser, before, address } = await comingBack(login);
    expect(await browser.comeBack(address)).toBe('/sign-in?step=code&next=%2Fkeys');
    expect(await sessionsOf(before.id)).toEqual([]);
    expect(await sessionsOf(user.id)).toHaveLength(1);
  });

  it('continues when the sign-in fails', async () => {
    const { browser, before } = await comingBack(newProviderUser(provider));
    const callback = 'https://images.example/base/dashboard/api/sign-in/oidc/callback';
    const state = new URL(await browser.begin()).searchParams.get('state')!;
    const query = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
    expect(await browser.comeBack(`${callback}?${query}`)).toContain('fault=provider_declined');
    expect(await sessionsOf(before.id)).toHaveLength(1);
  });
});
