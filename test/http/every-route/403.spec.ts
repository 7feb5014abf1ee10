import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../../src/kernel/scopes.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { KEY_ROUTES, pathFor } from '../../support/app/routes.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('403 insufficient_scope', () => {
  for (const route of KEY_ROUTES) {
    /** Refused requests change nothing, so these tests share a path. */
    let kept: Promise<string> | undefined;

    it.each(SCOPES)(`${route.method} ${route.path} with a key that has only the scope %s`, async (scope) => {
      const { key } = await harness.createKey(account, { scopes: [scope] });
      if (route.anyOf.length === 0 || route.anyOf.includes(scope)) {
        const path = await pathFor(route, harness, account);
        const { status } = await harness.call(route.method, path, { key });
        expect([401, 403]).not.toContain(status);
        expect(status).toBeLessThan(500);
        return;
      }
      const path = await (kept ??= pathFor(route, harness, account));
      const before = await harness.footprint();
      const { status, body } = await harness.call(route.method, path, { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 'insufficient_scope' });
      const { detail } = body as { detail: string };
      for (const needed of route.anyOf) expect(detail).toContain(needed);
      expect(detail).toContain(scope);
      expect(await harness.footprint()).toEqual(before);
    });
  }

  it.each(KEY_ROUTES.filter(({ anyOf }) => anyOf.length > 0))(
    '$method $path with a key that has no scopes',
    async (route) => {
      const { key } = await harness.createKey(account, { scopes: [] });
      const path = await pathFor(route, harness, account);
      const { status, body } = await harness.call(route.method, path, { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ code: 'insufficient_scope' });
    },
  );

  it('a new key has the three default scopes, but not webhook:manage', async () => {
    const { id } = await harness.createKey(account);
    const [row] = await harness.rows<{ scopes: string[] }>('SELECT scopes FROM api_keys WHERE id = $1', [id]);
    expect(row?.scopes).toEqual(['image:read', 'image:write', 'ai:enhance']);
  });
});
