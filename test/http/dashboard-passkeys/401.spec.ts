import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { passkeyUser, sendPasskey, signedChallenge } from '../../support/sign-in/passkey-user.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

const expired = { status: 401, code: 'sign_in_expired' };

describe('401', () => {
  it('a challenge can be answered once', async () => {
    const { authenticator } = await passkeyUser(harness);
    const browser = new DashboardClient(harness);
    const response = await signedChallenge(browser, authenticator);
    const stolen = new DashboardClient(harness);
    stolen.passkey = browser.passkey;
    expect((await sendPasskey(browser, response)).status).toBe(200);
    expect((await sendPasskey(stolen, response)).body).toMatchObject(expired);
  });

  it('a wrong answer uses up the challenge', async () => {
    const { authenticator } = await passkeyUser(harness);
    const browser = new DashboardClient(harness);
    const response = await signedChallenge(browser, authenticator);
    expect((await sendPasskey(browser, { id: 'unknown' })).status).toBe(403);
    expect((await sendPasskey(browser, response)).body).toMatchObject(expired);
  });

  it('a challenge belongs to the browser that requested it, and expires', async () => {
    const { authenticator } = await passkeyUser(harness);
    const [mine, theirs] = [new DashboardClient(harness), new DashboardClient(harness)];
    const response = await signedChallenge(mine, authenticator);
    expect((await sendPasskey(theirs, response)).body).toMatchObject(expired);
    await harness.rows('UPDATE passkey_challenges SET expires_at = now()');
    expect((await sendPasskey(mine, response)).body).toMatchObject(expired);
  });
});
