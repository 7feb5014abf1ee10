import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { newMember } from '../../support/app/members.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

const DAY_MS = 86_400_000;

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

interface History {
  readonly days: readonly string[];
  readonly enhancements: readonly number[];
  readonly storageBytes: readonly number[];
  readonly keys: readonly { id: string | null; name: string; enhancements: readonly number[] }[];
}

async function signedIn(): Promise<{ account: TestAccount; browser: DashboardClient }> {
  const account = await harness.createAccount();
  const browser = new DashboardClient(harness);
  await browser.signInto(account);
  return { account, browser };
}

const history = async (browser: DashboardClient, query = ''): Promise<History> =>
  (await browser.call('GET', `/usage/history${query}`)).body as History;

describe('GET /dashboard/api/usage', () => {
  it('returns the same as the public API', async () => {
    const { account, browser } = await signedIn();
    await harness.newJob(account);
    const here = await browser.call('GET', '/usage');
    const there = await harness.call('GET', '/api/usage', { key: account.key });
    expect(here.body).toEqual(there.body);
  });
});

describe('GET /dashboard/api/usage/history', () => {
  it('counts by day and key, without refunded jobs but with deleted ones', async () => {
    const { account, browser } = await signedIn();
    const { url: sourceUrl } = await harness.newSource(account);
    const second = await harness.createKey(account);
    const byKey = await harness.newJob(account, { sourceUrl });
    await harness.jobs.complete(byKey.id);
    await harness.call('DELETE', `/api/ai/enhance/${byKey.id}`, { key: account.key });
    for (const _ of [1, 2]) await harness.createJob(second.key, { sourceUrl, operation: 'upscale' });
    const canceled = await harness.newJob(account, { sourceUrl });
    await browser.call('POST', `/ai/enhance/${canceled.id}/cancel`);
    await browser.call('POST', '/ai/enhance', { json: { sourceUrl, operation: 'upscale' } });

    const { days, enhancements, keys } = await history(browser, '?days=7');
    expect(days).toHaveLength(7);
    expect(days.at(-1)).toBe(new Date().toISOString().slice(0, 10));
    expect(enhancements).toEqual([0, 0, 0, 0, 0, 0, 4]);
    expect(keys[0]).toEqual({ id: second.id, name: 'Test', enhancements: [0, 0, 0, 0, 0, 0, 2] });
    expect(keys.slice(1)).toEqual(
      expect.arrayContaining([
        { id: account.keyId, name: 'First key', enhancements: [0, 0, 0, 0, 0, 0, 1] },
        { id: null, name: 'Dashboard', enhancements: [0, 0, 0, 0, 0, 0, 1] },
      ]),
    );
    const { body } = await browser.call('GET', '/usage');
    expect(body).toMatchObject({ enhancements: { used: 4 } });
  });

  it('assigns earlier usage to its days, and leaves out days before the requested range', async () => {
    const { account, browser } = await signedIn();
    await harness.newJob(account);
    for (const days of [3, 40]) {
      await harness.rows('INSERT INTO enhancement_days VALUES ($1, $2, $3, 1)', [
        account.id,
        new Date(Date.now() - days * DAY_MS),
        account.keyId,
      ]);
    }
    const { enhancements } = await history(browser, '?days=5');
    expect(enhancements).toEqual([0, 1, 0, 0, 1]);
    expect((await history(browser)).days).toHaveLength(30);
    expect((await history(browser, '?days=92')).enhancements.reduce((sum, one) => sum + one)).toBe(3);
  });

  it('reports the storage at the end of each day', async () => {
    const { account, browser } = await signedIn();
    const old = await harness.newSource(account);
    const fresh = await harness.newSource(account);
    const job = await harness.newJob(account, { sourceUrl: old.url });
    await harness.jobs.complete(job.id, Buffer.alloc(1_000));
    const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
    const move = 'INSERT INTO storage_days VALUES ($1, $2, $3)';
    const today = 'UPDATE storage_days SET bytes = bytes - $2 WHERE account_id = $1 AND day >= current_date';
    await harness.rows(today, [account.id, old.bytes + 1_000]);
    await harness.rows(move, [account.id, ago(3), old.bytes]);
    await harness.rows(move, [account.id, ago(2), 1_000]);
    await harness.call('DELETE', `/api/ai/sources/${old.id}`, { key: account.key });
    const { storageBytes } = await history(browser, '?days=5');
    expect(storageBytes).toEqual([0, old.bytes, old.bytes + 1_000, old.bytes + 1_000, fresh.bytes + 1_000]);
  });

  it('shows nothing of another account', async () => {
    const stranger = await harness.createAccount();
    await harness.newJob(stranger);
    const { browser } = await signedIn();
    const { enhancements, storageBytes, keys } = await history(browser, '?days=2');
    expect({ enhancements, storageBytes, keys }).toEqual({
      enhancements: [0, 0],
      storageBytes: [0, 0],
      keys: [],
    });
  });

  it.each(['0', '93', '1.5', 'all', ''])('refuses days=%s', async (days) => {
    const { browser } = await signedIn();
    const { status, body } = await browser.call('GET', `/usage/history?days=${days}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'days' }] });
  });
});

describe('GET /dashboard/api/usage/rate', () => {
  it('reports how many requests of this minute each active key has used, and uses none itself', async () => {
    const { account, browser } = await signedIn();
    await harness.accountsOf.setPlan(account.id, 'personal', null);
    const idle = await harness.createKey(account);
    const revoked = await harness.createKey(account);
    await harness.accountsOf.revokeKey(revoked.id);
    for (const _ of [1, 2, 3]) await harness.call('GET', '/api/usage', { key: account.key });
    for (const _ of [1, 2]) {
      const { body } = await browser.call('GET', '/usage/rate');
      const { data } = body as { data: { keyId: string; used: number; remaining: number; limit: number }[] };
      expect(data.map(({ keyId, limit, used }) => ({ keyId, limit, used }))).toEqual([
        { keyId: idle.id, limit: 120, used: 0 },
        { keyId: account.keyId, limit: 120, used: 3 },
      ]);
    }
  });

  it.each([
    ['free', 30],
    ['business', 600],
  ] as const)('gives test keys the limit of test mode on the plan %s', async (plan, limit) => {
    const { account, browser } = await signedIn();
    await harness.accountsOf.setPlan(account.id, plan, null);
    const test = await harness.createKey(account, { livemode: false });
    for (const _ of [1, 2]) await harness.call('GET', '/api/usage', { key: test.key });
    const { body } = await browser.call('GET', '/usage/rate');
    expect(body).toMatchObject({
      data: [
        { keyId: test.id, limit: 120, used: 2, remaining: 118 },
        { keyId: account.keyId, limit, used: 0 },
      ],
    });
  });

  it.each(['viewer', 'billing'] as const)('does not show key names to the role %s', async (role) => {
    const { account } = await signedIn();
    await harness.newJob(account);
    const { browser } = await newMember(harness, account, role);
    const name = `key_…${account.keyId.slice(-6)}`;
    const { body: rate } = await browser.call('GET', '/usage/rate');
    expect(rate).toMatchObject({ data: [{ keyId: account.keyId, name }] });
    expect(await history(browser)).toMatchObject({ keys: [{ id: account.keyId, name }] });
    const { text } = await browser.call('GET', '/usage/export');
    expect(text).toContain(`,${account.keyId},,`);
    expect(text).not.toContain('First key');
  });
});
