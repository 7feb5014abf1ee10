import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { SIGN_UPS_PER_MINUTE: '1000', SIGN_IN_ATTEMPTS_PER_MINUTE: '5' } });
});
afterAll(() => harness.close());

const NEW_PASSWORD = 'the moon was made of cheese';

describe('POST /dashboard/api/account/password', () => {
  it('changes the password, starts a new session here, and ends every other session', async () => {
    const [here, there] = [new DashboardClient(harness), new DashboardClient(harness)];
    const { email, id } = await here.newPerson();
    await there.signIn(email);
    const before = { cookie: here.cookie, csrfToken: here.csrfToken };
    const json = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    const { status, body } = await here.call('POST', '/account/password', { json });
    expect(status).toBe(200);
    expect(body).toMatchObject({ account: { id } });
    expect(here.cookie).not.toBe(before.cookie);
    expect(here.csrfToken).not.toBe(before.csrfToken);
    expect((await here.call('GET', '/keys')).status).toBe(200);
    expect((await there.call('GET', '/keys')).status).toBe(401);
    expect((await here.call('GET', '/keys', { headers: { cookie: before.cookie! } })).status).toBe(401);
    const other = new DashboardClient(harness);
    expect((await other.call('POST', '/sign-in', { json: { email, password: PASSWORD } })).status).toBe(401);
    expect(await other.signIn(email, NEW_PASSWORD)).toMatchObject({ id });
  });

  it('keeps the password when the current one is wrong or the new one is not acceptable', async () => {
    const browser = new DashboardClient(harness);
    const { email } = await browser.newPerson();
    const change = (currentPassword: string, newPassword: string) =>
      browser.call('POST', '/account/password', { json: { currentPassword, newPassword } });
    const wrong = await change('wrong wrong wrong', NEW_PASSWORD);
    expect({ status: wrong.status, body: wrong.body as unknown }).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    });
    for (const bad of ['short', email, 'aaaaaaaaaaaaaaa', 'Qwertyuiop12']) {
      const { status, body } = await change(PASSWORD, bad);
      expect({ status, body: body as unknown }).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'newPassword' }] },
      });
    }
    expect((await browser.call('GET', '/keys')).status).toBe(200);
    await new DashboardClient(harness).signIn(email);
  });

  it('does not let someone at an open session guess the password', async () => {
    const browser = new DashboardClient(harness);
    await browser.newPerson();
    const seen = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const json = { currentPassword: `guess number ${attempt}`, newPassword: NEW_PASSWORD };
      seen.push((await browser.call('POST', '/account/password', { json })).status);
    }
    expect(seen).toEqual([403, 403, 403, 403, 403, 429, 429]);
  });
});
