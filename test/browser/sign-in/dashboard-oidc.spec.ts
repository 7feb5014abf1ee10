import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, PASSWORD } from '../../support/browser/dashboard-browser.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import { AuthenticatorApp } from '../../support/sign-in/authenticator-app.js';
import { TestOpenIdProvider } from '../../support/network/openid-provider.js';

const OWNER = 'owner@example.com';

describe('signing in with an OpenID provider', () => {
  let provider: TestOpenIdProvider;
  let dashboard: Dashboard;

  beforeAll(async () => {
    provider = await TestOpenIdProvider.start();
    dashboard = await Dashboard.start({ roles: ['api'], models: [], env: provider.env });
    provider.users.set('new-user', { email: 'new-user@example.com', isVerified: true });
    provider.users.set('owner', { email: OWNER, isVerified: true });
    provider.users.set('unverified', { email: 'unverified@example.com', isVerified: false });
  });
  afterAll(async () => {
    await dashboard?.close();
    await provider?.close();
  });

  const button = () => dashboard.page.getByRole('link', { name: 'Sign in with Example ID' });
  const field = (name: string) => dashboard.page.getByLabel(name, { exact: true });

  async function openSignIn(path = '/sign-in'): Promise<void> {
    await dashboard.page.context().clearCookies();
    await dashboard.open(path);
    await button().waitFor();
  }

  /** Signs in and consents on the provider's pages. */
  async function signInThere(login: string): Promise<void> {
    await button().click();
    await dashboard.page.locator('input[name="login"]').fill(login);
    await dashboard.page.locator('input[name="password"]').fill('any');
    await dashboard.page.locator('button[type="submit"]').click();
    await dashboard.page.getByRole('button', { name: 'Continue' }).click();
  }

  it('reports that the provider is down', async () => {
    await openSignIn();
    await inspectPage(dashboard.page, 'sign-in-oidc');
    await button().click();
    await dashboard.page.getByText("Example ID doesn't respond").waitFor();
    await inspectPage(dashboard.page, 'sign-in-oidc-down');
    expect(dashboard.faults).toEqual([]);
    provider.serve(dashboard.service.baseUrl);
  });

  it('creates an account, and opens the requested page', async () => {
    await openSignIn('/keys');
    await signInThere('new-user');
    await dashboard.heading('API keys').waitFor();
    await dashboard.go('Account');
    await expect.poll(() => dashboard.page.getByText('new-user@example.com').count()).toBeGreaterThan(0);
  });

  it('asks a user without a password for none, and says how to set one', async () => {
    const { page } = dashboard;
    const hint = 'Your account has no password. Ask the operator of this service to set one.';
    await page.getByRole('region', { name: 'Password', exact: true }).getByText(hint).waitFor();
    expect(await page.getByLabel('Current password').count()).toBe(0);
    await inspectPage(page, 'account-no-password');
    await dashboard.button('Delete account…').click();
    await page.getByRole('dialog').getByText(hint).waitFor();
    await page.keyboard.press('Escape');
  });

  it('rejects an email address that the provider has not verified', async () => {
    await openSignIn();
    await signInThere('unverified');
    await dashboard.page.getByText('No verified email address').waitFor();
    expect(new URL(dashboard.page.url()).pathname).toBe('/sign-in');
  });

  it('reports that the user canceled at the provider', async () => {
    await openSignIn();
    await button().click();
    await dashboard.page.getByRole('link', { name: 'Cancel' }).click();
    await dashboard.page.getByText("Example ID didn't sign you in").waitFor();
    expect(new URL(dashboard.page.url()).pathname).toBe('/sign-in');
  });

  it('links an existing account once its password is entered', async () => {
    await dashboard.signUp(OWNER);
    await openSignIn();
    await signInThere('owner');
    await dashboard.page.getByText('You already have an account').waitFor();
    await inspectPage(dashboard.page, 'sign-in-oidc-link');
    await field('Email address').fill(OWNER);
    await field('Password').fill(PASSWORD);
    await dashboard.button('Sign in').click();
    await dashboard.heading('Playground').waitFor();
    await openSignIn();
    await signInThere('owner');
    await dashboard.heading('Playground').waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it('asks for the code of a user with two-factor authentication', async () => {
    const { secret } = await dashboard.call<{ secret: string }>('POST', '/two-factor/setup', {
      password: PASSWORD,
    });
    const code = new AuthenticatorApp(secret).code();
    const { codes } = await dashboard.call<{ codes: string[] }>('POST', '/two-factor/enable', { code });
    await openSignIn('/keys');
    await signInThere('owner');
    await dashboard.heading('Two-factor authentication').waitFor();
    await dashboard.button('Back to sign-in').click();
    // The provider recognizes the browser and asks for nothing.
    await button().click();
    await dashboard.heading('Two-factor authentication').waitFor();
    await dashboard.button('Use a recovery code').click();
    await field('Recovery code').fill(codes[0]!);
    await dashboard.button('Verify').click();
    await dashboard.heading('API keys').waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it('is listed in the settings, and can be unlinked with the password', async () => {
    await dashboard.go('Account');
    await dashboard.page.getByRole('link', { name: 'Security settings' }).click();
    const list = dashboard.page.getByRole('list', { name: 'Sign-in providers' });
    const host = new URL(provider.issuer).host;
    await list.getByText(host).waitFor();
    await inspectPage(dashboard.page, 'security-identities');
    await dashboard.button(`Unlink ${host}`).click();
    await inspectPage(dashboard.page, 'unlink-identity');
    await field('Password').fill(`not ${PASSWORD}`);
    await dashboard.button('Unlink').click();
    await dashboard.page.getByText('The password is incorrect').waitFor();
    await field('Password').fill(PASSWORD);
    await dashboard.button('Unlink').click();
    await dashboard.page.getByText('None is linked.').waitFor();
    await openSignIn();
    await signInThere('owner');
    await dashboard.page.getByText('You already have an account').waitFor();
    expect(dashboard.faults).toEqual([]);
  });
});
