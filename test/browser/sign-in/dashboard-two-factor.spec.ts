import type { Locator } from 'playwright-core';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthenticatorApp } from '../../support/sign-in/authenticator-app.js';
import { Dashboard, PASSWORD } from '../../support/browser/dashboard-browser.js';
import { inspectPage } from '../../support/browser/inspect-page.js';
import type { SharedService } from '../../support/roles/shared-service.js';

const EMAIL = `two-factor-${process.pid}@example.com`;

describe('two-factor authentication', () => {
  let dashboard: Dashboard<SharedService>;
  let app: AuthenticatorApp;
  let codes: string[];

  beforeAll(async () => {
    dashboard = await Dashboard.join();
    await dashboard.signUp(EMAIL);
  });
  afterAll(async () => {
    await dashboard?.close();
  });

  const field = (name: string) => dashboard.page.getByLabel(name, { exact: true });

  async function enterPassword(): Promise<void> {
    await dashboard.page.context().clearCookies();
    await dashboard.open('/sign-in');
    await field('Email address').fill(EMAIL);
    await field('Password').fill(PASSWORD);
    await dashboard.button('Sign in').click();
    await dashboard.heading('Two-factor authentication').waitFor();
  }

  async function enterCode(label: string, code: string): Promise<void> {
    await field(label).fill(code);
    await dashboard.button('Verify').click();
  }

  async function openSecurity(): Promise<void> {
    await dashboard.go('Account');
    await dashboard.page.getByRole('link', { name: 'Security settings' }).click();
    await dashboard.heading('Security').waitFor();
  }

  it('can be set up with a QR code that an app can read', async () => {
    await openSecurity();
    await dashboard.button('Set up…').click();
    await inspectPage(dashboard.page, 'two-factor-password');
    await field('Password').fill(`not ${PASSWORD}`);
    await dashboard.button('Continue').click();
    await dashboard.page.getByText('The password is incorrect').waitFor();
    await field('Password').fill(PASSWORD);
    await dashboard.button('Continue').click();
    const qr = dashboard.page.getByRole('img', { name: 'QR code for the authenticator app' });
    await qr.waitFor();
    await inspectPage(dashboard.page, 'two-factor-setup');
    await qr.scrollIntoViewIfNeeded();
    const { data, info } = await sharp(await qr.screenshot())
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const read = jsQR.default(new Uint8ClampedArray(data), info.width, info.height);
    const uri = new URL(read!.data);
    expect(decodeURIComponent(uri.pathname)).toBe(`/Image Enhancement:${EMAIL}`);
    app = new AuthenticatorApp(uri.searchParams.get('secret')!);
    const typed = (await dashboard.page.getByTestId('totp-secret').textContent())!;
    expect(typed.replaceAll(' ', '')).toBe(app.secret);
    const hasFocus = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);
    await expect.poll(() => hasFocus(field('Code'))).toBe(true);
    await field('Code').fill(app.wrongCode());
    await dashboard.button('Turn on').click();
    await dashboard.page.getByText('The code is incorrect').waitFor();
    await field('Code').fill(app.code());
    await dashboard.button('Turn on').click();
    const list = dashboard.page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await expect.poll(() => list.count()).toBe(10);
    await expect.poll(() => hasFocus(dashboard.page.getByRole('dialog'))).toBe(true);
    codes = await list.allTextContents();
    await inspectPage(dashboard.page, 'recovery-codes');
    const download = dashboard.page.waitForEvent('download');
    await dashboard.page.getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('recovery-codes.txt');
    await dashboard.button("I've saved them").click();
    await dashboard.page.getByText('10 recovery codes left').waitFor();
    await inspectPage(dashboard.page, 'security');
  });

  it('asks for a code after the password', async () => {
    await enterPassword();
    await inspectPage(dashboard.page, 'sign-in-code');
    await enterCode('Code', app.wrongCode());
    await dashboard.page.getByText('The code is incorrect').waitFor();
    // The code of the next time step, since the current one may have been used to turn it on.
    await enterCode('Code', app.code(1));
    await dashboard.heading('Playground').waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it('shows nothing before the code is entered', async () => {
    await enterPassword();
    await dashboard.open('/keys');
    await dashboard.heading('Sign in').waitFor();
    expect(new URL(dashboard.page.url()).pathname).toBe('/sign-in');
  });

  it('accepts a recovery code instead', async () => {
    await enterPassword();
    await dashboard.button('Use a recovery code').click();
    await enterCode('Recovery code', codes[0]!);
    await dashboard.heading('Playground').waitFor();
    await expect.poll(() => dashboard.page.evaluate('document.activeElement.id')).toBe('main');
    await openSecurity();
    await dashboard.page.getByText('9 recovery codes left').waitFor();
    // No provider is configured.
    expect(await dashboard.page.getByText('Sign-in providers').count()).toBe(0);
    await enterPassword();
    await dashboard.button('Use a recovery code').click();
    await dashboard.page.getByText('ask the operator of this service').waitFor();
    await enterCode('Recovery code', codes[0]!);
    await dashboard.page.getByText('This recovery code is incorrect or was used before.').waitFor();
    await inspectPage(dashboard.page, 'sign-in-recovery-code');
    await enterCode('Recovery code', codes[1]!);
    await dashboard.heading('Playground').waitFor();
    await openSecurity();
    expect(dashboard.faults).toEqual([]);
  });

  it('creates new recovery codes for the password', async () => {
    await dashboard.button('New recovery codes…').click();
    await field('Password').fill(`not ${PASSWORD}`);
    await dashboard.button('Create codes').click();
    await dashboard.page.getByText('The password is incorrect').waitFor();
    await field('Password').fill(PASSWORD);
    await dashboard.button('Create codes').click();
    const list = dashboard.page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await expect.poll(() => list.count()).toBe(10);
    expect(await list.allTextContents()).not.toContain(codes[2]);
    await dashboard.button("I've saved them").click();
    await dashboard.page.getByText('10 recovery codes left').waitFor();
  });

  it('can be turned off with the password, which is then enough to sign in', async () => {
    await dashboard.button('Turn off…').click();
    await field('Password').fill(PASSWORD);
    await dashboard.button('Turn off').click();
    await dashboard.button('Set up…').waitFor();
    await dashboard.page.context().clearCookies();
    await dashboard.open('/sign-in');
    await field('Email address').fill(EMAIL);
    await field('Password').fill(PASSWORD);
    await dashboard.button('Sign in').click();
    await dashboard.heading('Playground').waitFor();
    expect(dashboard.faults).toEqual([]);
  });
});
