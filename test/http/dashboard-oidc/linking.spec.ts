import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import type { TestOpenIdProvider } from '../../support/network/openid-provider.js';
import { newProviderUser, OidcBrowser } from '../../support/sign-in/oidc-browser.js';
import { startOidcHarness } from '../../support/sign-in/oidc-harness.js';
import { addPasskey, sendPasskey, signedChallenge } from '../../support/sign-in/passkey-user.js';
import { SoftwareAuthenticator } from '../../support/sign-in/software-authenticator.js';
import { enterCode, twoFactorUser } from '../../support/sign-in/two-factor-user.js';

const LINK = '/sign-in?step=link&next=%2Fkeys';

let provider: TestOpenIdProvider;
let harness: Harness;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ provider, harness, close } = await startOidcHarness());
});
afterAll(() => close?.());
beforeEach(() => provider.reset());

const linked = (accountId: string): Promise<unknown[]> =>
  harness.rows(`SELECT details FROM audit_events WHERE account_id = $1 AND action = 'identity.linked'`, [
    accountId,
  ]);

async function newOwner(): Promise<{ id: string; email: string; browser: DashboardClient }> {
  const browser = new DashboardClient(harness);
  return { ...(await browser.signInto(await harness.createAccount())), browser };
}

describe('a provider sign-in with the address of an existing account', () => {
  it('requires the password once', async () => {
    const { id, email } = await newOwner();
    const login = newProviderUser(provider, email.toUpperCase());
    const browser = new OidcBrowser(harness);
    expect(await browser.signIn(login)).toBe(LINK);
    expect(await browser.account()).toBeNull();
    expect(await linked(id)).toEqual([]);
    await browser.dashboard.signIn(email);
    expect(await linked(id)).toEqual([{ details: { issuer: provider.issuer } }]);
    expect((await browser.dashboard.call('GET', '/session')).body).toMatchObject({
      user: { isEmailVerified: true },
    });
    const again = new OidcBrowser(harness);
    expect(await again.signIn(login)).toBe('/keys');
    expect((await again.account())!.id).toBe(id);
  });

  it('keeps other ways to sign in when the service sends no email to verify the address', async () => {
    const { id, email, browser: owner } = await newOwner();
    await addPasskey(owner, new SoftwareAuthenticator());
    const browser = new OidcBrowser(harness);
    await browser.signIn(newProviderUser(provider, email));
    await browser.dashboard.signIn(email);
    expect(await linked(id)).toHaveLength(1);
    const rows = await harness.rows('SELECT 1 FROM passkeys WHERE account_id = $1', [id]);
    expect(rows).toHaveLength(1);
    expect((await owner.call('GET', '/keys')).status).toBe(200);
  });

  it('is not linked by a wrong password, or by the owner of another account', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const login = newProviderUser(provider, owner.email);
    const browser = new OidcBrowser(harness);
    await browser.signIn(login);
    const json = { email: owner.email, password: `not ${PASSWORD}` };
    expect((await browser.dashboard.call('POST', '/sign-in', { json })).status).toBe(401);
    await browser.dashboard.signIn(other.email);
    expect(await new OidcBrowser(harness).signIn(login)).toBe(LINK);
    expect(await linked(owner.id)).toEqual([]);
    expect(await linked(other.id)).toEqual([]);
  });

  it('is not linked in another browser, or after 15 minutes', async () => {
    const { id, email } = await newOwner();
    const login = newProviderUser(provider, email);
    const browser = new OidcBrowser(harness);
    await browser.signIn(login);
    await new DashboardClient(harness).signIn(email);
    await harness.rows(`UPDATE oidc_links SET expires_at = now() - interval '1 second'`);
    await browser.dashboard.signIn(email);
    expect(await linked(id)).toEqual([]);
  });

  it('is refused when the provider has not verified the address', async () => {
    const { email } = await newOwner();
    expect(await new OidcBrowser(harness).signIn(newProviderUser(provider, email, false))).toBe(
      '/sign-in?fault=email_not_verified&next=%2Fkeys',
    );
  });

  it('is linked after the second factor, which is required each time', async () => {
    const { id, email, recoveryCodes } = await twoFactorUser(harness);
    const login = newProviderUser(provider, email);
    const browser = new OidcBrowser(harness);
    await browser.signIn(login);
    await browser.dashboard.call('POST', '/sign-in', { json: { email, password: PASSWORD } });
    expect(await linked(id)).toEqual([]);
    expect((await enterCode(browser.dashboard, recoveryCodes[0]!)).status).toBe(200);
    expect(await linked(id)).toHaveLength(1);
    const again = new OidcBrowser(harness);
    expect(await again.signIn(login)).toBe('/sign-in?step=code&next=%2Fkeys');
    expect(await again.account()).toBeNull();
    expect((await enterCode(again.dashboard, recoveryCodes[1]!)).status).toBe(200);
    expect((await again.account())!.id).toBe(id);
  });

  it('can also be linked with a passkey', async () => {
    const { id, email, browser: first } = await newOwner();
    const authenticator = new SoftwareAuthenticator();
    expect((await addPasskey(first, authenticator)).status).toBe(201);
    const browser = new OidcBrowser(harness);
    await browser.signIn(newProviderUser(provider, email));
    const response = await signedChallenge(browser.dashboard, authenticator);
    expect((await sendPasskey(browser.dashboard, response)).status).toBe(200);
    expect(await linked(id)).toHaveLength(1);
  });
});

describe('an account that nobody can sign in to', () => {
  it('is given to the first user with its address, and to no other', async () => {
    const { id } = await harness.createAccount();
    const [{ email } = { email: '' }] = await harness.rows<{ email: string }>(
      'SELECT email FROM accounts WHERE id = $1',
      [id],
    );
    const logins = Array.from({ length: 5 }, () => newProviderUser(provider, email));
    const browsers = logins.map(() => new OidcBrowser(harness));
    const paths = await Promise.all(browsers.map((browser, index) => browser.signIn(logins[index]!)));
    expect(paths.toSorted()).toEqual(['/keys', LINK, LINK, LINK, LINK]);
    expect((await browsers[paths.indexOf('/keys')]!.account())!.id).toBe(id);
    expect(await linked(id)).toHaveLength(1);
  });
});
