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

describe('DELETE /api/ai/presets/:name → 409', () => {
  it.each(['portrait', 'product-on-white', 'old-scan'])('because %s is built in', async (name) => {
    const { status, body } = await harness.call('DELETE', `/api/ai/presets/${name}`, { key: account.key });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'preset_read_only' });
  });
});
