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

interface Listed {
  readonly presets: readonly { readonly name: string; readonly isBuiltIn: boolean }[];
}

const list = async ({ key }: TestAccount): Promise<Listed['presets']> => {
  const { status, body } = await harness.call('GET', '/api/ai/presets', { key });
  expect(status).toBe(200);
  return (body as Listed).presets;
};

const BUILT_IN = ['portrait', 'product-on-white', 'old-scan'];

describe('GET /api/ai/presets → 200', () => {
  it('lists the built-in presets with their operations', async () => {
    const presets = await list(await harness.createAccount());
    expect(presets.map(({ name }) => name)).toEqual(BUILT_IN);
    expect(presets[1]).toMatchObject({
      isBuiltIn: true,
      createdAt: null,
      updatedAt: null,
      operations: [{ operation: 'auto_enhance' }, { operation: 'bg_remove' }],
      output: { background: '#ffffff', crop: 'subject' },
    });
  });

  it('lists the presets of the account after them, by name, and none of other accounts', async () => {
    for (const name of ['zebra', 'a-1', '0']) await harness.newPreset(account, name);
    await harness.newPreset(await harness.createAccount(), 'theirs');
    const presets = await list(account);
    expect(presets.map(({ name }) => name)).toEqual([...BUILT_IN, '0', 'a-1', 'zebra']);
    expect(presets.slice(3).map(({ isBuiltIn }) => isBuiltIn)).toEqual([false, false, false]);
  });
});
