import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

/** On a plan with few keys. */
const NEW_KEYS_PER_HOUR = 60;

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('429', () => {
  it('limits the keys that an account creates or rotates, however few are active', async () => {
    const browser = new DashboardClient(harness);
    const { id: accountId } = await browser.newPerson();
    await harness.rows(
      `INSERT INTO api_keys (id, account_id, name, hash, prefix, last4, scopes, revoked_at)
       SELECT 'key_' || md5($1 || n), $1, 'old', sha256(($1 || n)::bytea), 'ies_', '0000', '{image:read}', now()
         FROM generate_series(2, $2::int) n`,
      [accountId, NEW_KEYS_PER_HOUR],
    );
    const json = { name: 'next' };
    const last = await browser.call('POST', '/keys', { json });
    expect(last.status).toBe(201);
    const { id } = last.body as { readonly id: string };
    for (const path of [`/keys/${id}/rotate`, '/keys']) {
      const refused = await browser.call('POST', path, {
        json: path === '/keys' ? { ...json, livemode: false } : {},
      });
      expect([path, refused.status, refused.body]).toMatchObject([path, 429, { code: 'too_many_attempts' }]);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
    }
    const issued = await harness.accountsOf.createKey(accountId, 'CLI', ['image:read'], null, {
      livemode: false,
    });
    expect(issued.key).toMatch(/^ies_test_/);
    await harness.rows(
      `UPDATE api_keys SET created_at = now() - interval '1 hour' WHERE id <> $1 AND account_id = $2`,
      [id, accountId],
    );
    expect((await browser.call('POST', `/keys/${id}/rotate`, { json: {} })).status).toBe(201);
  });
});
