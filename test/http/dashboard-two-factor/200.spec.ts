import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { DASHBOARD_ROUTES } from '../../support/app/dashboard-routes.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import {
  enterCode,
  forgetUsedCodes,
  halfSignedIn,
  twoFactorUser,
} from '../../support/sign-in/two-factor-user.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

const actions = async (accountId: string): Promise<unknown[]> =>
  (
    await harness.rows<{ action: string; actor_kind: string; details: object }>(
      `SELECT action, actor_kind, details FROM audit_events WHERE account_id = $1
          AND action ~ '^(two_factor|recovery_codes|sign_in)' ORDER BY id`,
      [accountId],
    )
  ).map(({ action, actor_kind: kind, details }) => [action, kind, details]);

const status = async (browser: DashboardClient) => (await browser.call('GET', '/two-factor')).body;

describe('turning on two-factor authentication', () => {
  it('requires a code from the secret, and shows ten recovery codes once', async () => {
    const { id, email, browser, recoveryCodes } = await twoFactorUser(harness);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await status(browser)).toEqual({
      enabled: true,
      enabledAt: expect.stringMatching(/^20.*Z$/) as string,
      recoveryCodesLeft: 10,
    });
    expect((await actions(id)).at(-1)).toEqual(['two_factor.enabled', 'person', {}]);
    const stored = JSON.stringify(
      await harness.rows('SELECT * FROM recovery_codes WHERE account_id = $1', [id]),
    );
    for (const code of recoveryCodes) expect(stored).not.toContain(code);
    const other = new DashboardClient(harness);
    await other.signInto(await harness.createAccount());
    expect(await status(other)).toEqual({ enabled: false, enabledAt: null, recoveryCodesLeft: 0 });
    expect(email).not.toBe('');
  });

  it('seals the secret', async () => {
    const browser = new DashboardClient(harness);
    const { id, email } = await browser.signInto(await harness.createAccount());
    const { body, text, headers } = await browser.call('POST', '/two-factor/setup', {
      json: { password: PASSWORD },
    });
    const { secret, uri } = body as { secret: string; uri: string };
    expect(headers['cache-control'], text).toBe('no-store');
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect(decodeURIComponent(new URL(uri).pathname)).toContain(email);
    const [row] = await harness.rows<{ sealed_secret: Buffer }>(
      'SELECT sealed_secret FROM two_factor_secrets WHERE account_id = $1',
      [id],
    );
    expect(row!.sealed_secret.toString('latin1')).not.toContain(secret);
    expect(await status(browser)).toMatchObject({ enabled: false });
  });

  it('does not affect sign-ins before the code is entered', async () => {
    const browser = new DashboardClient(harness);
    const { email } = await browser.signInto(await harness.createAccount());
    await browser.call('POST', '/two-factor/setup', { json: { password: PASSWORD } });
    const elsewhere = new DashboardClient(harness);
    await elsewhere.signIn(email);
    expect((await elsewhere.call('GET', '/keys')).status).toBe(200);
  });
});

describe('signing in with a second factor', () => {
  it('requires the password, then a code, and starts a session', async () => {
    const { id, email, app } = await twoFactorUser(harness);
    const browser = await halfSignedIn(harness, email);
    const answer = await enterCode(browser, app.code());
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ user: { id }, secondFactorRequired: false });
    expect(browser.pending).toBeUndefined();
    expect((await browser.call('GET', '/keys')).status).toBe(200);
    expect((await actions(id)).at(-1)).toEqual(['sign_in.succeeded', 'person', { secondFactor: 'totp' }]);
    expect(await harness.rows('SELECT 1 FROM pending_sign_ins WHERE account_id = $1', [id])).toEqual([]);
  });

  it('accepts a clock that is one step off, and a code with a space', async () => {
    const { id, email, app } = await twoFactorUser(harness);
    const code = app.code(1);
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect((await enterCode(await halfSignedIn(harness, email), spaced)).status).toBe(200);
    await forgetUsedCodes(harness, id);
    expect((await enterCode(await halfSignedIn(harness, email), app.wrongCode())).status).toBe(403);
  });

  it('accepts each recovery code once', async () => {
    const { id, email, browser, recoveryCodes } = await twoFactorUser(harness);
    const code = recoveryCodes[3]!;
    const typed = code.toUpperCase().replaceAll('-', ' ');
    expect((await enterCode(await halfSignedIn(harness, email), typed)).status).toBe(200);
    expect(await status(browser)).toMatchObject({ recoveryCodesLeft: 9 });
    expect((await actions(id)).at(-1)).toEqual([
      'sign_in.succeeded',
      'person',
      { secondFactor: 'recovery_code' },
    ]);
    expect((await enterCode(await halfSignedIn(harness, email), code)).status).toBe(403);
  });

  it('gives no access before the code is entered', async () => {
    const { email } = await twoFactorUser(harness);
    const browser = await halfSignedIn(harness, email);
    expect(browser.cookie).toBeUndefined();
    const pending = browser.pending!.split('=')[1]!;
    const asSession = { cookie: `__Host-ies_session=${pending}` };
    for (const { method, path } of DASHBOARD_ROUTES.filter(({ need }) => need === 'required')) {
      const route = path.replace('/dashboard/api', '').replace(/\{\w+\}/, 'job_1');
      expect((await browser.call(method, route)).status, `${method} ${route}`).toBe(401);
      const headers = { ...asSession, 'x-csrf-token': browser.csrfToken ?? 'x' };
      expect((await harness.call(method, `/dashboard/api${route}`, { headers })).status, route).toBe(401);
    }
    expect((await browser.call('GET', '/session')).body).toMatchObject({ account: null, csrfToken: null });
  });

  it('ends the previous session of the browser once the password is entered', async () => {
    const { email, browser } = await twoFactorUser(harness);
    const before = browser.cookie!;
    await browser.call('POST', '/sign-in', { json: { email, password: PASSWORD } });
    expect(browser.cookie).toBeUndefined();
    const answer = await harness.call('GET', '/dashboard/api/session', { headers: { cookie: before } });
    expect(answer.body).toMatchObject({ account: null });
  });
});

describe('new recovery codes', () => {
  it('replace the old ones, and require the password', async () => {
    const { id, email, browser, recoveryCodes } = await twoFactorUser(harness);
    const json = { password: PASSWORD };
    const { body } = await browser.call('POST', '/two-factor/recovery-codes', { json });
    const { codes } = body as { codes: string[] };
    expect(new Set([...codes, ...recoveryCodes]).size).toBe(20);
    expect((await enterCode(await halfSignedIn(harness, email), recoveryCodes[0]!)).status).toBe(403);
    expect((await enterCode(await halfSignedIn(harness, email), codes[0]!)).status).toBe(200);
    expect(await actions(id)).toContainEqual(['recovery_codes.replaced', 'person', {}]);
  });
});

describe('a password change by a user with a second factor', () => {
  it('keeps this browser signed in, and keeps the second factor', async () => {
    const { email, browser } = await twoFactorUser(harness);
    const json = { currentPassword: PASSWORD, newPassword: 'another cow jumped over the sun' };
    expect((await browser.call('POST', '/account/password', { json })).status).toBe(200);
    expect((await browser.call('GET', '/keys')).status).toBe(200);
    const elsewhere = new DashboardClient(harness);
    const answer = await elsewhere.call('POST', '/sign-in', { json: { email, password: json.newPassword } });
    expect(answer.body).toMatchObject({ account: null, secondFactorRequired: true });
  });
});
