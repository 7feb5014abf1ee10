import { describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { startHarness } from '../../support/app/harness.js';

describe('SIGNUP=closed', () => {
  it('refuses sign-up, announces it in the session, and lets existing accounts sign in', async () => {
    const harness = await startHarness({ env: { SIGNUP: 'closed' } });
    try {
      const browser = new DashboardClient(harness);
      expect((await browser.call('GET', '/session')).body).toMatchObject({ signUp: 'closed' });
      const json = { email: 'new@example.org', password: PASSWORD };
      const { status, body } = await browser.call('POST', '/sign-up', { json });
      expect({ status, body: body as unknown }).toMatchObject({
        status: 403,
        body: { code: 'sign_up_closed' },
      });
      expect(await harness.rows('SELECT 1 FROM accounts')).toEqual([]);
      await browser.signInto(await harness.createAccount());
    } finally {
      await harness.close();
    }
  });
});
