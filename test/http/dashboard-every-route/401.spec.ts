import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { DASHBOARD_ROUTES } from '../../support/app/dashboard-routes.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { KEY_ROUTES, pathFor } from '../../support/app/routes.js';
import { newSecretToken } from '../../../src/kernel/secret-token.js';

let harness: Harness;
let account: TestAccount;
let browser: DashboardClient;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  browser = new DashboardClient(harness);
  await browser.signInto(account);
});
afterAll(() => harness.close());

const cookie = (token: string): Record<string, string> => ({ cookie: `__Host-ies_session=${token}` });
const demanding = DASHBOARD_ROUTES.filter(({ need }) => need === 'required');

describe('401', () => {
  it.each(demanding)(
    '$method $path refuses requests without a session, and every API key',
    async ({ method, path }) => {
      const signedIn = { cookie: browser.cookie!, 'x-csrf-token': browser.csrfToken! };
      const refused: Record<string, Record<string, string>> = {
        'no cookie': {},
        'a cookie of nobody': cookie(newSecretToken()),
        'a cookie that is none': cookie("' OR 1=1"),
        'the cookie under the name for http': { cookie: browser.cookie!.replace('__Host-', '') },
        'an API key': { 'x-api-key': account.key },
        'an API key beside a session': { ...signedIn, 'x-api-key': account.key },
        'a bearer token': { authorization: `Bearer ${browser.cookie!.split('=')[1]!}` },
      };
      for (const [name, headers] of Object.entries(refused)) {
        const {
          status,
          body,
          headers: answered,
        } = await harness.call(method, path.replace('{id}', 'job_1'), { headers });
        expect(answered['cache-control']).toBe('no-store');
        expect({ name, status, body: body as unknown }).toMatchObject({
          status: 401,
          body: { code: 'not_signed_in' },
        });
      }
    },
  );

  it.each(KEY_ROUTES)('$method $path of the public API does not accept a session', async (route) => {
    const path = await pathFor(route, harness, account);
    const headers = { cookie: browser.cookie!, 'x-csrf-token': browser.csrfToken! };
    const { status, body } = await harness.call(route.method, path, { headers });
    expect({ status, body: body as unknown }).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });

  it('files cannot be read with a session either', async () => {
    const { url } = await harness.newSource(account);
    const { pathname } = new URL(url);
    const path = pathname.slice('/base'.length);
    expect((await harness.call('GET', path, { headers: { cookie: browser.cookie! } })).status).toBe(404);
  });
});
