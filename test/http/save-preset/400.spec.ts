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

const put = (name: string, json: object) =>
  harness.call('PUT', `/api/ai/presets/${name}`, { key: account.key, json });
const STEP = { operation: 'upscale' };
const LARGE = { operation: 'upscale', width: 9_000 };
const HIGH = { operation: 'upscale', level: 'high' };

describe('PUT /api/ai/presets/:name → 400', () => {
  it.each(['Mine', '-a', 'a'.repeat(64), 'a_b', 'a.b', '%00', 'a%2Fb'])('for the name %s', async (name) => {
    const before = await harness.footprint();
    const { status, body } = await put(name, { operations: [STEP] });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'name', code: 'matches' }] });
    expect(await harness.footprint()).toEqual(before);
  });

  it.each([
    [{}, 'operations', 'required'],
    [{ operations: null }, 'operations', 'required'],
    [{ operations: [] }, 'operations', 'range'],
    [{ operations: Array.from({ length: 7 }, () => STEP) }, 'operations', 'range'],
    [{ operations: ['upscale'] }, 'operations.0', 'type'],
    [{ operations: STEP }, 'operations', 'type'],
    [{ operations: 'upscale' }, 'operations', 'type'],
    [{ operations: [{}] }, 'operations.0.operation', 'required'],
    [{ operations: [STEP, { operation: 'vectorize' }] }, 'operations.1.operation', 'enum'],
    [{ operations: [{ ...STEP, level: 'best' }] }, 'operations.0.level', 'enum'],
    [{ operations: [{ ...STEP, strength: 0.5 }] }, 'operations.0.strength', 'conflict'],
    [{ operations: [STEP], output: null }, 'output', 'type'],
    [{ operations: [STEP], output: { format: 'gif' } }, 'output.format', 'enum'],
    [{ operations: [STEP], output: { padding: 0.1 } }, 'output.padding', 'conflict'],
    [
      { operations: [{ operation: 'bg_remove' }], output: { format: 'jpeg' } },
      'output.background',
      'required',
    ],
    // Whether the first step reaches its size depends on the source. The others do not.
    [
      { operations: [LARGE, { operation: 'bg_remove' }], output: { format: 'jpeg' } },
      'output.background',
      'required',
    ],
    [{ operations: [LARGE, { ...STEP, strength: 0.5 }] }, 'operations.1.strength', 'conflict'],
    [{ operations: [HIGH, HIGH, HIGH], output: { padding: 0.1 } }, 'output.padding', 'conflict'],
    [
      { operations: [STEP], output: { background: { sourceUrl: 'https://example.com/a.jpg' } } },
      'output.background.sourceUrl',
      'invalid_source_url',
    ],
    [{ operations: [STEP], metadata: {} }, 'metadata', 'unknown'],
    [{ operations: [STEP], preset: 'portrait' }, 'preset', 'unknown'],
  ])('%j: %s %s', async (json, field, code) => {
    const before = await harness.footprint();
    const { status, body } = await put('mine', json);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field, code }] });
    expect(await harness.footprint()).toEqual(before);
  });

  it.each(['\0', '\ud800'])('for %j in the address of a background', async (text) => {
    const { url } = await harness.newSource(account);
    const background = { sourceUrl: `${url}&${text}` };
    const { status, body } = await put('mine', { operations: [STEP], output: { background } });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'output.background.sourceUrl' }],
    });
  });
});
