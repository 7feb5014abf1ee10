import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthenticatorApp } from '../../support/sign-in/authenticator-app.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
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

describe('403', () => {
  it('a code works once, even for concurrent sign-ins', async () => {
    const { id, email, app } = await twoFactorUser(harness);
    const browsers = [];
    while (browsers.length < 9) browsers.push(await halfSignedIn(harness, email));
    const code = app.code();
    const answers = await Promise.all(browsers.map((browser) => enterCode(browser, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect({ status, body }).toMatchObject({ status: 403, body: { code: 'wrong_code' } });
    // The other session is the one that turned on two-factor authentication.
    const sessions = await harness.rows('SELECT 1 FROM sessions WHERE account_id = $1', [id]);
    expect(sessions).toHaveLength(2);
  });

  it('a code from an earlier step does not work after a later one', async () => {
    const { email, app } = await twoFactorUser(harness);
    expect((await enterCode(await halfSignedIn(harness, email), app.code(1))).status).toBe(200);
    const earlier = await enterCode(await halfSignedIn(harness, email), app.code());
    expect(earlier.body).toMatchObject({ status: 403, code: 'wrong_code' });
  });

  it('the code that turned on two-factor authentication does not sign in', async () => {
    const browser = new DashboardClient(harness);
    const { email } = await browser.signInto(await harness.createAccount());
    const { body } = await browser.call('POST', '/two-factor/setup', { json: { password: PASSWORD } });
    const code = new AuthenticatorApp((body as { secret: string }).secret).code();
    expect((await browser.call('POST', '/two-factor/enable', { json: { code } })).status).toBe(200);
    expect((await enterCode(await halfSignedIn(harness, email), code)).status).toBe(403);
  });

  it('a recovery code works once, even for concurrent sign-ins', async () => {
    const { id, email, recoveryCodes } = await twoFactorUser(harness);
    const browsers = [];
    while (browsers.length < 9) browsers.push(await halfSignedIn(harness, email));
    const answers = await Promise.all(browsers.map((browser) => enterCode(browser, recoveryCodes[0]!)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const used = await harness.rows(
      'SELECT 1 FROM recovery_codes WHERE account_id = $1 AND used_at IS NOT NULL',
      [id],
    );
    expect(used).toHaveLength(1);
  });

  it('codes of another user do not work', async () => {
    const [mine, theirs] = [await twoFactorUser(harness), await twoFactorUser(harness)];
    const browser = await halfSignedIn(harness, mine.email);
    expect((await enterCode(browser, theirs.recoveryCodes[0]!)).status).toBe(403);
    expect((await enterCode(browser, theirs.app.code())).status).toBe(403);
    await forgetUsedCodes(harness, mine.id);
    expect((await enterCode(browser, mine.app.code())).status).toBe(200);
  });

  it('records wrong codes as failed sign-ins', async () => {
    const { id, email, app } = await twoFactorUser(harness);
    await enterCode(await halfSignedIn(harness, email), app.wrongCode());
    const rows = await harness.rows(
      `SELECT details FROM audit_events WHERE account_id = $1 AND action = 'sign_in.failed'`,
      [id],
    );
    expect(rows).toEqual([{ details: { secondFactor: true } }]);
  });

  it.each(['recovery-codes', 'disable'])('%s requires the right password', async (what) => {
    const { browser } = await twoFactorUser(harness);
    const json = { password: `not ${PASSWORD}` };
    const { body } = await browser.call('POST', `/two-factor/${what}`, { json });
    expect(body).toMatchObject({ status: 403, code: 'wrong_password' });
    expect((await browser.call('GET', '/two-factor')).body).toMatchObject({
      enabled: true,
      recoveryCodesLeft: 10,
    });
  });

  it('the setup requires the right password', async () => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.signInto(await harness.createAccount());
    const json = { password: `not ${PASSWORD}` };
    const { body } = await browser.call('POST', '/two-factor/setup', { json });
    expect(body).toMatchObject({ status: 403, code: 'wrong_password' });
    expect(await harness.rows('SELECT 1 FROM two_factor_secrets WHERE account_id = $1', [id])).toEqual([]);
  });

  it('a wrong code does not turn on two-factor authentication', async () => {
    const browser = new DashboardClient(harness);
    await browser.signInto(await harness.createAccount());
    const { body } = await browser.call('POST', '/two-factor/setup', { json: { password: PASSWORD } });
    const code = new AuthenticatorApp((body as { secret: string }).secret).wrongCode();
    const answer = await browser.call('POST', '/two-factor/enable', { json: { code } });
    expect(answer.body).toMatchObject({ status: 403, code: 'wrong_code' });
    expect((await browser.call('GET', '/two-factor')).body).toMatchObject({ enabled: false });
  });
});
