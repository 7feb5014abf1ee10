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

describe('DELETE /api/ai/presets/:name → 404', () => {
  it('when the preset does not exist; nothing changes', async () => {
    const before = await harness.footprint();
    const { status, body } = await harness.call('DELETE', '/api/ai/presets/never', { key: account.key });
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'preset_not_found' });
    expect(await harness.footprint()).toEqual(before);
  });
});
