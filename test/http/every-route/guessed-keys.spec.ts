import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateApiKey } from '../../../src/auth/keys/api-key.js';
import { Database } from '../../../src/infra/database/database.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

/** One, so that a slowed address stays slowed for a minute. */
const LIMIT = 1;

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({ env: { AUTH_FAILURES_PER_MINUTE: String(LIMIT) } });
  account = await harness.createAccount();
});
afterAll(() => harness.close());
afterEach(() => void vi.restoreAllMocks());

const usage = async (key?: string): Promise<number> =>
  (await harness.call('GET', '/api/usage', key === undefined ? {} : { key })).status;

/** Counts the statements that reach the database from now on, by name. */
function countStatements(): (name: string) => number {
  const query = vi.spyOn(harness.app.get(Database), 'query');
  return (name) =>
    query.mock.calls.filter(([statement]) => typeof statement === 'object' && statement.name === name).length;
}

/** Fails once more than this address is allowed. */
async function getSlowed(): Promise<void> {
  for (let index = 0; index <= LIMIT; index += 1) expect(await usage('wrong')).toBe(401);
}

describe('guessed keys', () => {
  it('share few statements when a slowed address sends many different ones', async () => {
    await getSlowed();
    const statements = countStatements();
    const keys = Array.from({ length: 400 }, () => generateApiKey().key);
    const statuses = await Promise.all(keys.map((key) => usage(key)));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(statements('principal_admit')).toBeLessThanOrEqual(40);
    // The address is known to be over its limit, so nothing is counted.
    expect(statements('rate_limit_take')).toBe(0);
  });

  it('always get 401, with a delay, and do not slow down valid keys', async () => {
    await getSlowed();
    for (const key of ['wrong', generateApiKey().key]) {
      const started = performance.now();
      // A forged address must not reset the limit.
      const headers = { 'x-forwarded-for': '10.0.0.9' };
      const { status, body } = await harness.call('GET', '/api/usage', { key, headers });
      expect([status, (body as { code: string }).code]).toEqual([401, 'unauthorized']);
      expect(performance.now() - started).toBeGreaterThanOrEqual(950);
    }
    expect(await usage(account.key)).toBe(200);
  });

  it('include a missing key, which also gets 401 from a slowed address', async () => {
    await getSlowed();
    expect(await Promise.all([usage(), usage(), usage()])).toEqual([401, 401, 401]);
  });

  it('reach the database once if they are the same', async () => {
    const statements = countStatements();
    const { key } = generateApiKey();
    const statuses = await Promise.all([usage(key), usage(key), usage(key)]);
    for (let index = 0; index < 3; index += 1) statuses.push(await usage(key));
    expect(statuses).toEqual(statuses.map(() => 401));
    expect(statements('principal_admit')).toBe(1);
  });

  it('do not keep out a new key, even from the same address at the same time', async () => {
    await getSlowed();
    const guesses = Promise.all(Array.from({ length: 50 }, () => usage(generateApiKey().key)));
    const made = await harness.createKey(account);
    expect(await usage(made.key)).toBe(200);
    await guesses;
    const guess = usage(generateApiKey().key);
    // The key is known to be valid by now, so it overtakes a guess that was sent before it.
    expect(await Promise.race([guess, usage(made.key)])).toBe(200);
    await guess;
  });

  it('do not delay a revocation by another process', async () => {
    const other = await harness.another();
    try {
      const made = await harness.createKey(account);
      expect(await usage(made.key)).toBe(200);
      await other.accountsOf.revokeKey(made.id);
      expect(await usage(made.key)).toBe(401);
    } finally {
      await other.close();
    }
  });

  it('do not keep out an expired key for more than seconds after it is extended', async () => {
    const made = await harness.createKey(account, { expiresAt: new Date(Date.now() - 1_000) });
    expect(await usage(made.key)).toBe(401);
    await harness.rows('UPDATE api_keys SET expires_at = NULL WHERE id = $1', [made.id]);
    await expect.poll(() => usage(made.key), { timeout: 10_000 }).toBe(200);
  });
});
