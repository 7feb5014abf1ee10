import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthenticatorApp } from '../../support/sign-in/authenticator-app.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { twoFactorUser } from '../../support/sign-in/two-factor-user.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

const notSetUp = { status: 409, code: 'two_factor_not_set_up' };

describe('409', () => {
  it('a second setup does not replace the authenticator app', async () => {
    const { browser } = await twoFactorUser(harness);
    const { body } = await browser.call('POST', '/two-factor/setup', { json: { password: PASSWORD } });
    expect(body).toMatchObject({ status: 409, code: 'two_factor_enabled' });
  });

  it('nothing can be turned on, renewed, or turned off before the setup', async () => {
    const browser = new DashboardClient(harness);
    await browser.signInto(await harness.createAccount());
    const json = { password: PASSWORD };
    expect(
      (await browser.call('POST', '/two-factor/enable', { json: { code: '123456' } })).body,
    ).toMatchObject(notSetUp);
    expect((await browser.call('POST', '/two-factor/recovery-codes', { json })).body).toMatchObject(notSetUp);
    expect((await browser.call('POST', '/two-factor/disable', { json })).body).toMatchObject(notSetUp);
  });

  it('turning it on several times at once creates one set of recovery codes', async () => {
    const browser = new DashboardClient(harness);
    await browser.signInto(await harness.createAccount());
    const { body } = await browser.call('POST', '/two-factor/setup', { json: { password: PASSWORD } });
    const json = { code: new AuthenticatorApp((body as { secret: string }).secret).code() };
    const enable = () => browser.call('POST', '/two-factor/enable', { json });
    const answers = await Promise.all([enable(), enable(), enable()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect((await browser.call('GET', '/two-factor')).body).toMatchObject({ recoveryCodesLeft: 10 });
  });
});
