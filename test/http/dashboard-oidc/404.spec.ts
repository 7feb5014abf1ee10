import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

describe('without a provider', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await sharedHarness();
  });
  afterAll(() => harness?.close());

  it('the sign-in routes do not exist', async () => {
    const browser = new DashboardClient(harness);
    expect((await browser.call('GET', '/session')).body).toMatchObject({ oidcName: null });
    for (const path of ['/sign-in/oidc', '/sign-in/oidc/callback?code=x&state=x'])
      expect((await browser.call('GET', path)).status, path).toBe(404);
  });
});
