import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

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

const BODY = { operations: [{ operation: 'upscale', level: 'high' }], output: { format: 'webp' } };

describe('/dashboard/api/ai/presets', () => {
  it('saves, lists, and deletes presets, which API keys can use as well', async () => {
    expect((await browser.call('PUT', '/ai/presets/shop-photos', { json: BODY })).status).toBe(201);
    expect((await browser.call('PUT', '/ai/presets/shop-photos', { json: BODY })).status).toBe(200);
    const { body } = await browser.call('GET', '/ai/presets');
    const names = (body as { presets: { name: string }[] }).presets.map(({ name }) => name);
    expect(names).toEqual(['portrait', 'product-on-white', 'old-scan', 'shop-photos']);
    const read = await harness.call('GET', '/api/ai/presets/shop-photos', { key: account.key });
    expect(read.body).toMatchObject({ ...BODY, isBuiltIn: false });
    expect((await browser.call('DELETE', '/ai/presets/shop-photos')).status).toBe(204);
    expect((await browser.call('DELETE', '/ai/presets/shop-photos')).status).toBe(404);
  });

  it('refuses to change built-in presets, and refuses invalid names', async () => {
    const builtIn = await browser.call('PUT', '/ai/presets/portrait', { json: BODY });
    expect(builtIn.body).toMatchObject({ code: 'preset_read_only' });
    expect((await browser.call('PUT', '/ai/presets/Shop', { json: BODY })).status).toBe(400);
  });
});
