import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { enterCode, halfSignedIn, twoFactorUser } from '../../support/sign-in/two-factor-user.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('turning off two-factor authentication', () => {
  it('requires the password, deletes the secret and codes, and ends pending sign-ins', async () => {
    const { id, email, browser, app } = await twoFactorUser(harness);
    const pending = await halfSignedIn(harness, email);
    const json = { password: PASSWORD };
    expect((await browser.call('POST', '/two-factor/disable', { json })).status).toBe(204);
    for (const table of ['two_factor_secrets', 'recovery_codes'])
      expect(await harness.rows(`SELECT 1 FROM ${table} WHERE account_id = $1`, [id]), table).toEqual([]);
    expect((await enterCode(pending, app.code())).status).toBe(401);
    await new DashboardClient(harness).signIn(email);
    const [last] = await harness.rows(
      `SELECT action FROM audit_events WHERE account_id = $1 AND action LIKE 'two_factor%' ORDER BY id DESC LIMIT 1`,
      [id],
    );
    expect(last).toEqual({ action: 'two_factor.disabled' });
    expect((await browser.call('POST', '/two-factor/disable', { json })).status).toBe(409);
  });
});
