import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { Operators } from '../../../src/operator/operators.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let browser: DashboardClient;
beforeAll(async () => {
  harness = await sharedHarness();
  browser = new DashboardClient(harness);
  const { id } = await browser.signInto(await harness.createAccount());
  await new Operators(harness.app.get(Database)).set(id, true);
});
afterAll(() => harness.close());

describe('400', () => {
  it.each(['2h', '', '7d&span=1h', "'"])('refuses the span "%s"', async (span) => {
    const path = `/operator/api/history?span=${span}`;
    const { status, body } = await harness.call('GET', path, { headers: { cookie: browser.cookie! } });
    expect({ status, body: body as unknown }).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'span', message: 'span must be one of 1h, 24h, 7d.' }] },
    });
  });
});
