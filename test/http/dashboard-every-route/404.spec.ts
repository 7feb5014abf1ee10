import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DASHBOARD_ROUTES, OPERATOR_ROUTES } from '../../support/app/dashboard-routes.js';
import type { Harness } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let operator: OperatorClient;
beforeAll(async () => {
  harness = await sharedHarness();
  operator = await OperatorClient.start(harness);
});
afterAll(() => harness.close());

const WITH_PARAMETER = [...DASHBOARD_ROUTES, ...OPERATOR_ROUTES].filter(({ path }) => path.includes('{'));

describe('404', () => {
  it.each(WITH_PARAMETER)(
    '$method $path is not found for text that PostgreSQL cannot store',
    async ({ method, path }) => {
      const { browser } = operator;
      const headers = { cookie: browser.cookie!, 'x-csrf-token': browser.csrfToken! };
      for (const odd of ['%00', 'a%00', '%00%27', `${'0'.repeat(31)}%00`]) {
        const given = path.replace(/\{\w+\}/, odd);
        const options = { headers, ...(method !== 'GET' && { json: {} }) };
        const { status, body } = await harness.call(method, given, options);
        // The body is incomplete here, so it may be refused first.
        expect({ odd, status, body: body as unknown }).toMatchObject({
          status: expect.toSatisfy((code) => code === 404 || (code === 400 && method !== 'GET')) as unknown,
          body: { code: expect.stringMatching(/^((preset_)?not_found|invalid_request)$/) as unknown },
        });
      }
    },
  );
});
