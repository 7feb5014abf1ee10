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

const OPERATIONS = [
  { operation: 'smooth_skin', strength: 0.4 },
  { operation: 'upscale', scale: 2 },
];

describe('GET /api/ai/presets/:name → 200', () => {
  it('returns what the preset does', async () => {
    const output = { format: 'webp', quality: 80 };
    await harness.newPreset(account, 'mine', { operations: OPERATIONS, output });
    const { status, body } = await harness.call('GET', '/api/ai/presets/mine', { key: account.key });
    expect(status).toBe(200);
    expect(body).toEqual({
      name: 'mine',
      operations: OPERATIONS,
      output,
      isBuiltIn: false,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
  });

  it('has no output if the preset has none', async () => {
    await harness.newPreset(account, 'plain', { operations: OPERATIONS });
    const { body } = await harness.call('GET', '/api/ai/presets/plain', { key: account.key });
    expect(body).not.toHaveProperty('output');
  });

  it('also returns built-in presets', async () => {
    const { status, body } = await harness.call('GET', '/api/ai/presets/portrait', { key: account.key });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'portrait', isBuiltIn: true });
  });
});
