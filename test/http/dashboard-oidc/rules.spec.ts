import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, PUBLIC_URL, startHarness } from '../../support/app/harness.js';
import { TestOpenIdProvider } from '../../support/network/openid-provider.js';
import { newProviderUser, OidcBrowser } from '../../support/sign-in/oidc-browser.js';

let provider: TestOpenIdProvider;
let harness: Harness | undefined;
beforeAll(async () => {
  provider = await TestOpenIdProvider.start();
});
afterEach(() => harness?.close());
afterAll(() => provider?.close());

async function withRules(env: Readonly<Record<string, string>>): Promise<Harness> {
  harness = await startHarness({ env: { ...provider.env, ...env } });
  return harness;
}

describe('operator settings', () => {
  it('can close sign-up; a provider that was down at startup is found later', async () => {
    const closed = await withRules({ SIGNUP: 'closed' });
    // Other users can still sign in.
    await new DashboardClient(closed).signInto(await closed.createAccount());
    const browser = new OidcBrowser(closed);
    expect(await browser.begin()).toBe(`${PUBLIC_URL}/sign-in?fault=provider_unavailable&next=%2Fkeys`);
    provider.serve(PUBLIC_URL);
    const login = newProviderUser(provider, 'stranger@example.org');
    expect(await browser.signIn(login)).toBe('/sign-in?fault=sign_up_closed&next=%2Fkeys');
    expect(await closed.rows(`SELECT 1 FROM accounts WHERE email = 'stranger@example.org'`)).toEqual([]);
  });

  it('can open sign-up for users of the provider in the given domains only', async () => {
    provider.serve(PUBLIC_URL);
    const rules = { SIGNUP: 'closed', OIDC_SIGNUP: 'open', OIDC_EMAIL_DOMAINS: 'example.com, example.net' };
    const restricted = await withRules(rules);
    const login = newProviderUser(provider, 'ada@example.com');
    expect(await new OidcBrowser(restricted).signIn(login)).toBe('/keys');
    const outside = newProviderUser(provider, 'ada@mail.example.com');
    expect(await new OidcBrowser(restricted).signIn(outside)).toBe(
      '/sign-in?fault=email_not_allowed&next=%2Fkeys',
    );
    // A user who leaves the domain can no longer sign in.
    provider.users.set(login, { email: 'ada@example.org', isVerified: true });
    expect(await new OidcBrowser(restricted).signIn(login)).toBe(
      '/sign-in?fault=email_not_allowed&next=%2Fkeys',
    );
  });

  it('can trust unverified addresses of the provider, and limit sign-ups', async () => {
    provider.serve(PUBLIC_URL);
    const trusting = await withRules({ OIDC_TRUST_EMAIL: 'true', SIGN_UPS_PER_MINUTE: '1' });
    const login = newProviderUser(provider, 'ada@example.org', false);
    expect(await new OidcBrowser(trusting).signIn(login)).toBe('/keys');
    const second = newProviderUser(provider);
    expect(await new OidcBrowser(trusting).signIn(second)).toBe('/sign-in?fault=too_many_attempts');
    expect(await new OidcBrowser(trusting).signIn(login)).toBe('/keys');
  });

  it('limit the requests of one client address', async () => {
    provider.serve(PUBLIC_URL);
    const browser = new OidcBrowser(await withRules({ SIGN_IN_ATTEMPTS_PER_MINUTE: '1' }));
    const answers: string[] = [];
    for (let request = 0; request < 12; request += 1) answers.push(await browser.begin());
    expect(answers[0]!.startsWith(provider.issuer)).toBe(true);
    expect(answers.at(-1)).toBe(`${PUBLIC_URL}/sign-in?fault=too_many_attempts&next=%2Fkeys`);
  });
});
