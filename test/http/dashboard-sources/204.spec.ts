import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
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

const usedBytes = async (): Promise<number> => {
  const { body } = await browser.call('GET', '/usage');
  return (body as { storage: { usedBytes: number } }).storage.usedBytes;
};

describe('DELETE /dashboard/api/ai/sources/{id} → 204', () => {
  it('erases the photo and frees its storage once', async () => {
    const kept = await harness.newSource(account);
    const keptBytes = await usedBytes();
    const { id, url } = await harness.newSource(account);
    expect(await usedBytes()).toBeGreaterThan(keptBytes);
    expect((await browser.call('DELETE', `/ai/sources/${id}`)).status).toBe(204);
    expect(await usedBytes()).toBe(keptBytes);
    const again = await browser.call('DELETE', `/ai/sources/${id}`);
    expect(again.status).toBe(410);
    expect(await usedBytes()).toBe(keptBytes);
    expect((await browser.call('GET', '/ai/sources')).body).toMatchObject({ data: [{ id: kept.id }] });
    expect((await harness.call('GET', url.replace(PUBLIC_URL, ''))).status).toBe(410);
  });

  it('refuses photos of other accounts, and requests without the CSRF token', async () => {
    const owner = await harness.createAccount();
    const { id } = await harness.newSource(owner);
    expect((await browser.call('DELETE', `/ai/sources/${id}`)).status).toBe(404);
    const own = await harness.newSource(account);
    const headers = { 'x-csrf-token': 'wrong' };
    expect((await browser.call('DELETE', `/ai/sources/${own.id}`, { headers })).status).toBe(403);
    expect((await browser.call('GET', `/ai/sources/${own.id}`)).status).toBe(200);
    expect((await harness.call('GET', `/api/ai/sources/${id}`, { key: owner.key })).status).toBe(200);
  });
});
