import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, PASSWORD } from '../../support/browser/dashboard-browser.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const EMAIL = `passkeys-${process.pid}@example.com`;

describe('passkeys', () => {
  let dashboard: Dashboard<SharedService>;
  let devtools: CDPSession;
  let authenticatorId: string;

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    devtools = await dashboard.page.context().newCDPSession(dashboard.page);
    await devtools.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    } as const;
    ({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options }));
    await open('/sign-up');
    await field('Email address').fill(EMAIL);
    await field('Password').fill(PASSWORD);
    await dashboard.button('Create account').click();
    await dashboard.heading('Playground').waitFor();
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  /** Passkeys do not work with an IP address. */
  const open = (path: string) =>
    dashboard.page.goto(`${dashboard.service.baseUrl.replace('127.0.0.1', 'localhost')}${path}`);
  const field = (name: string) => dashboard.page.getByLabel(name, { exact: true });
  const rows = () => dashboard.page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');

  async function openSecurity(): Promise<void> {
    await dashboard.go('Account');
    await dashboard.page.getByRole('link', { name: 'Security settings' }).click();
    await dashboard.heading('Security').waitFor();
  }

  async function startSignIn(): Promise<void> {
    await dashboard.page.context().clearCookies();
    await open('/sign-in');
    await dashboard.button('Sign in with a passkey').click();
  }

  it('can be added with the password and the device', async () => {
    await openSecurity();
    await dashboard.button('Add a passkey…').click();
    await inspectPage(dashboard.page, 'passkey-add');
    await field('Name').fill('Laptop');
    await field('Password').fill(PASSWORD);
    await dashboard.button('Continue').click();
    await expect.poll(() => rows().count()).toBe(1);
    expect(await rows().first().textContent()).toMatch(/^Laptop.*never used/);
    await inspectPage(dashboard.page, 'passkeys');
  });

  it('cannot be added twice on one device', async () => {
    await dashboard.button('Add a passkey…').click();
    await field('Password').fill(PASSWORD);
    await dashboard.button('Continue').click();
    await dashboard.page.getByText('This device already has a passkey').waitFor();
    await dashboard.button('Cancel').click();
    expect(await rows().count()).toBe(1);
  });

  it('sign in without a password', async () => {
    await startSignIn();
    await dashboard.heading('Playground').waitFor();
    await openSecurity();
    await expect.poll(() => rows().first().textContent()).toMatch(/last used/);
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toHaveLength(1);
    expect(credentials[0]!.isResidentCredential).toBe(true);
  });

  it('can be renamed', async () => {
    await dashboard.button('Rename Laptop').click();
    await field('Name').fill('Desk');
    await dashboard.button('Save').click();
    await expect.poll(() => rows().first().textContent()).toMatch(/^Desk/);
  });

  it('can have a long name without a space', async () => {
    const name = 'x'.repeat(100);
    await dashboard.button('Rename Desk').click();
    await field('Name').fill(name);
    await dashboard.button('Save').click();
    await dashboard.button(`Remove ${name}`).click();
    const title = dashboard.page.getByRole('dialog').getByRole('heading');
    const excessPx = await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(excessPx).toBeLessThanOrEqual(0);
    await inspectPage(dashboard.page, 'passkey-remove');
    await dashboard.button('Cancel').click();
    await dashboard.button(`Rename ${name}`).click();
    await field('Name').fill('Desk');
    await dashboard.button('Save').click();
    await dashboard.button('Remove Desk').waitFor();
  });

  it('show an error when the user is not verified', async () => {
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await startSignIn();
    const notice = dashboard.page.getByRole('alert').filter({ hasText: 'The passkey request was canceled' });
    await notice.waitFor();
    // The button was disabled in the meantime.
    await expect.poll(() => notice.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(new URL(dashboard.page.url()).pathname).toBe('/sign-in');
    await inspectPage(dashboard.page, 'sign-in-passkey');
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  });

  it('are refused as a copy with an old counter', async () => {
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    const [credential] = credentials;
    expect(credential!.signCount).toBeGreaterThan(0);
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    const copy = { ...credential!, signCount: 0 };
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: copy });
    await startSignIn();
    await dashboard.page.getByText('Passkey refused').waitFor();
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: credential! });
    await dashboard.button('Sign in with a passkey').click();
    await dashboard.heading('Playground').waitFor();
  });

  it('no longer sign in once they are removed', async () => {
    await openSecurity();
    await dashboard.button('Remove Desk').click();
    await dashboard.button('Remove passkey').click();
    await expect.poll(() => rows().count()).toBe(0);
    await startSignIn();
    await dashboard.page.getByText('Passkey refused').waitFor();
    expect(dashboard.faults).toEqual([]);
  });
});
