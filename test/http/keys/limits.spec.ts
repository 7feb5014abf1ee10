import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

interface KeyRow {
  readonly hash: Buffer;
  readonly prefix: string;
  readonly last4: string;
  readonly last_used_at: Date | null;
}

describe('API keys', () => {
  it.each([
    ['free', 1],
    ['personal', 3],
    ['business', 15],
  ] as const)('are limited by the %s plan to %i, even for concurrent requests', async (plan, limit) => {
    const account = await harness.createAccount({ plan });
    const made = await Promise.allSettled(Array.from({ length: 20 }, () => harness.createKey(account)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit - 1);
    await expect(harness.createKey(account)).rejects.toThrow(/keys/);
  });

  it('do not count once they are revoked or expired', async () => {
    const account = await harness.createAccount({ plan: 'personal' });
    const revoked = await harness.createKey(account);
    await harness.createKey(account, { expiresAt: new Date(Date.now() - 1) });
    await harness.createKey(account);
    await expect(harness.createKey(account)).rejects.toThrow(/keys/);
    await harness.accountsOf.revokeKey(revoked.id);
    const { key } = await harness.createKey(account);
    expect((await harness.call('GET', '/api/usage', { key })).status).toBe(200);
  });

  it('are not stored: only a hash, the visible prefix, and the last four characters', async () => {
    const { key, keyId } = await harness.createAccount();
    const [row] = await harness.rows<KeyRow>('SELECT * FROM api_keys WHERE id = $1', [keyId]);
    expect(JSON.stringify(row)).not.toContain(key);
    expect(row!.hash).toHaveLength(32);
    expect(key.startsWith(row!.prefix)).toBe(true);
    expect(key.endsWith(row!.last4)).toBe(true);
    expect(row!.prefix.length + row!.last4.length).toBeLessThan(16);
  });

  it('record when they were last used', async () => {
    const { key, keyId } = await harness.createAccount();
    const lastUsed = async () =>
      (await harness.rows<KeyRow>('SELECT last_used_at FROM api_keys WHERE id = $1', [keyId]))[0]!
        .last_used_at;
    expect(await lastUsed()).toBeNull();
    await harness.call('GET', '/api/usage', { key });
    expect(await lastUsed()).toBeInstanceOf(Date);
  });
});
