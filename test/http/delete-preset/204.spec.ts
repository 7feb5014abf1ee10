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

describe('DELETE /api/ai/presets/:name → 204', () => {
  it('deletes the preset once', async () => {
    const { name } = await harness.newPreset(account);
    const path = `/api/ai/presets/${name}`;
    const { key } = account;
    expect((await harness.call('DELETE', path, { key })).status).toBe(204);
    expect((await harness.call('GET', path, { key })).status).toBe(404);
    expect((await harness.call('DELETE', path, { key })).status).toBe(404);
  });
});
