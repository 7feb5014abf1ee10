import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { enterCode, halfSignedIn, twoFactorUser } from '../../support/sign-in/two-factor-user.js';
import { newSecretToken } from '../../../src/kernel/secret-token.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

const expired = { status: 401, code: 'sign_in_expired' };

describe('401', () => {
  it('a code is worth nothing without the password', async () => {
    const { app, browser: signedIn } = await twoFactorUser(harness);
    const stranger = new DashboardClient(harness);
    expect((await enterCode(stranger, app.code())).body).toMatchObject(expired);
    stranger.pending = `__Host-ies_sign_in=${newSecretToken()}`;
    expect((await enterCode(stranger, app.code())).body).toMatchObject(expired);
    // A session does not replace it either.
    stranger.pending = signedIn.cookie!.replace('ies_session', 'ies_sign_in');
    expect((await enterCode(stranger, app.code())).body).toMatchObject(expired);
  });

  it('a sign-in that took too long must start again', async () => {
    const { id, email, app } = await twoFactorUser(harness);
    const browser = await halfSignedIn(harness, email);
    await harness.rows(`UPDATE pending_sign_ins SET expires_at = now() WHERE account_id = $1`, [id]);
    expect((await enterCode(browser, app.code())).body).toMatchObject(expired);
  });

  it('a sign-in with the old password ends when the password changes', async () => {
    const { email, app, browser } = await twoFactorUser(harness);
    const pending = await halfSignedIn(harness, email);
    const json = { currentPassword: PASSWORD, newPassword: 'another cow jumped over the sun' };
    expect((await browser.call('POST', '/account/password', { json })).status).toBe(200);
    expect((await enterCode(pending, app.code())).body).toMatchObject(expired);
  });

  it('a pending sign-in becomes only one session, even when it is completed twice', async () => {
    const { email, app, recoveryCodes } = await twoFactorUser(harness);
    const first = await halfSignedIn(harness, email);
    const again = new DashboardClient(harness);
    again.pending = first.pending;
    const answers = await Promise.all([enterCode(first, app.code()), enterCode(again, recoveryCodes[0]!)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });
});
