import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import {
  enterCode,
  forgetUsedCodes,
  halfSignedIn,
  twoFactorUser,
} from '../../support/sign-in/two-factor-user.js';

describe('429', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await sharedHarness();
  });
  afterAll(() => harness.close());

  it('refuses all codes for a while after ten wrong ones in a row', async () => {
    const { id, email, app, recoveryCodes } = await twoFactorUser(harness);
    const browser = await halfSignedIn(harness, email);
    for (let tries = 0; tries < 10; tries += 1)
      expect((await enterCode(browser, app.wrongCode())).status).toBe(403);
    const refused = await enterCode(browser, app.code());
    expect(refused.body).toMatchObject({ status: 429, code: 'too_many_attempts' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600);
    expect((await enterCode(await halfSignedIn(harness, email), recoveryCodes[0]!)).status).toBe(429);
    await harness.rows('UPDATE two_factor_secrets SET blocked_until = now() WHERE account_id = $1', [id]);
    expect((await enterCode(browser, app.wrongCode())).status).toBe(403);
    // One more attempt was allowed, but not a second one.
    expect((await enterCode(browser, app.code())).status).toBe(429);
    await forgetUsedCodes(harness, id);
    expect((await enterCode(browser, app.code())).status).toBe(200);
  });

  it('resets the count of wrong codes after a right one', async () => {
    const { id, email, app, recoveryCodes } = await twoFactorUser(harness);
    for (const code of recoveryCodes.slice(0, 2)) {
      const browser = await halfSignedIn(harness, email);
      for (let tries = 0; tries < 9; tries += 1) await enterCode(browser, app.wrongCode());
      expect((await enterCode(browser, code)).status).toBe(200);
    }
    expect(
      await harness.rows(
        'SELECT failed_attempts, blocked_until FROM two_factor_secrets WHERE account_id = $1',
        [id],
      ),
    ).toEqual([{ failed_attempts: 0, blocked_until: null }]);
  });
});

describe('429 per minute', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ env: { SIGN_IN_ATTEMPTS_PER_MINUTE: '3' } });
  });
  afterAll(() => harness.close());

  it('counts codes per user, whatever the browser', async () => {
    const { email, app } = await twoFactorUser(harness);
    const browsers = [await halfSignedIn(harness, email), await halfSignedIn(harness, email)];
    const seen: number[] = [];
    for (let tries = 0; tries < 5; tries += 1)
      seen.push((await enterCode(browsers[tries % 2]!, app.wrongCode())).status);
    expect(seen).toEqual([403, 403, 403, 429, 429]);
  });
});
