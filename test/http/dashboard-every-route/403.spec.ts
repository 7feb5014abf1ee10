import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { DASHBOARD_ROUTES } from '../../support/app/dashboard-routes.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let browser: DashboardClient;
beforeAll(async () => {
  harness = await sharedHarness();
  browser = new DashboardClient(harness);
  await browser.signInto(await harness.createAccount());
});
afterAll(() => harness.close());

const changing = DASHBOARD_ROUTES.filter(({ method }) => method !== 'GET');
const withSession = changing.filter(({ need }) => need !== 'none');

describe('403', () => {
  it.each(withSession)(
    '$method $path refuses a request without the CSRF token of its session',
    async ({ method, path }) => {
      const other = new DashboardClient(harness);
      await other.signInto(await harness.createAccount());
      const before = await harness.footprint();
      for (const token of [undefined, '', 'x', other.csrfToken!, browser.cookie!.split('=')[1]!]) {
        const headers = { cookie: browser.cookie!, ...(token !== undefined && { 'x-csrf-token': token }) };
        const { status, body } = await harness.call(method, path.replace('{id}', 'job_1'), {
          headers,
          json: {},
        });
        expect({ token, status, body: body as unknown }).toMatchObject({
          status: 403,
          body: { code: 'csrf_refused' },
        });
      }
      expect(await harness.footprint()).toEqual(before);
    },
  );

  it.each(changing)('$method $path refuses a request from another site', async ({ method, path }) => {
    for (const site of ['cross-site', 'same-site']) {
      const { status, body } = await harness.call(method, path.replace('{id}', 'job_1'), {
        headers: {
          cookie: browser.cookie!,
          'x-csrf-token': browser.csrfToken!,
          'sec-fetch-site': site,
          origin: 'https://evil.example',
        },
        json: {},
      });
      expect({ site, status, body: body as unknown }).toMatchObject({
        status: 403,
        body: { code: 'csrf_refused' },
      });
    }
  });

  it('does not require a token to read', async () => {
    const { status } = await harness.call('GET', '/dashboard/api/usage', {
      headers: { cookie: browser.cookie! },
    });
    expect(status).toBe(200);
  });
});
