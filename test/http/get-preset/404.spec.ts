import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe.each(['GET', 'DELETE'])('%s /api/ai/presets/:name → 404', (method) => {
  it("treats another account's preset like one that does not exist", async () => {
    const stranger = await harness.createAccount();
    await harness.newPreset(stranger, 'theirs');
    const path = '/api/ai/presets/theirs';
    const { status, body } = await harness.call(method, path, { key: account.key });
    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: 'preset_not_found',
      errors: [{ field: 'preset', code: 'not_found' }],
    });
    expect((await harness.call('GET', path, { key: stranger.key })).status).toBe(200);
  });

  it.each(['Mine', '-a', 'a'.repeat(64), 'a_b', '%00', '%F0%9F%99%82', "';DROP TABLE presets;--", 'a%2Fb'])(
    'for an invalid name: %s',
    async (name) => {
      const { status, body } = await harness.call(method, `/api/ai/presets/${name}`, { key: account.key });
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'preset_not_found' });
    },
  );
});
